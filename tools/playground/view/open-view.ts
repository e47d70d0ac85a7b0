import { createInterface, type Interface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import picocolors from 'picocolors'
import { wantsColour } from '../../../conformance/report/progress.ts'
import { lineView, type View } from './line-view.ts'
import { liveView } from './live-view.ts'

/** The terminal, or what stands for it. */
export interface Streams {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
}

export interface OpenedView {
  readonly view: View
  /** Where a person types; undefined where nobody can. */
  readonly prompt: Interface | undefined
}

/**
 * A table at a terminal, where a person can type; else lines. A prompt reads key by key, so that Ctrl-C is a key there
 * and no signal: `leave` is called once the person has pressed it, or Ctrl-D, whatever is under way.
 */
export function openView({ stdin, stdout }: Streams, leave: () => void): OpenedView {
  if (!(stdin.isTTY && stdout.isTTY))
    return { view: lineView(stdout, () => performance.now()), prompt: undefined }
  const input = stdin as ReadStream
  const prompt = createInterface({ input, output: stdout, prompt: 'assay up> ', historySize: 100 })
  prompt.once('close', leave)
  const colours = picocolors.createColors(wantsColour(stdout, process.env))
  const view = liveView(stdout as WriteStream, prompt, { colours, now: Date.now })
  return { view, prompt }
}
