import { createInterface, type Interface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import picocolors from 'picocolors'
import { wantsColour } from '../../../conformance/report/progress.ts'
import { lineView, type View } from './line-view.ts'
import { liveView } from './live-view.ts'

/** Standard input and output. */
export interface Streams {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
}

interface OpenedView {
  readonly view: View
  /** The prompt; undefined without a terminal. */
  readonly prompt: Interface | undefined
}

/**
 * A table and a prompt on a terminal, otherwise plain lines. The prompt reads the terminal in raw mode, so Ctrl-C is a key
 * and not a signal: `leave` is called after Ctrl-C or Ctrl-D, even while a command runs.
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
