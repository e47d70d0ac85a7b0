import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { loadResult } from '../../conformance/report/json/load-result.ts'
import type { RunResult } from '../../conformance/report/result.ts'

const ASSAY = join(packageRoot(), 'bin', 'assay.js')

/** What one run left: its result, or the sentence with which it ended without one. */
export type RoundResult = { readonly result: RunResult } | { readonly says: string }

/**
 * Runs the scenarios once, in a process of its own: a year of rounds leaves nothing in memory.
 *
 * @param words the options of `assay run`
 * @param out the directory of the reports, which replaces that of the round before
 * @param stop ends the run, which still writes its reports
 */
export async function runRound(
  words: readonly string[],
  out: string,
  stop: AbortSignal,
): Promise<RoundResult> {
  const file = join(out, 'result.json')
  rmSync(file, { force: true })
  // A group of its own: a Ctrl-C of the terminal reaches the run once, through this process.
  const run = spawn(process.execPath, [ASSAY, 'run', ...words, '--out', out, '--quiet'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = (): void => void run.kill('SIGTERM')
  stop.addEventListener('abort', end, { once: true })
  if (stop.aborted) end()
  const errors = lastWordsOf(run)
  await once(run, 'close').catch((cause: unknown) => {
    throw new SetupFault(`assay run could not be started (${codeOf(cause)})`, {
      next: 'free memory or processes, and start again',
      cause,
    })
  })
  stop.removeEventListener('abort', end)
  if (existsSync(file)) return { result: await loadResult(file) }
  return { says: sentenceOf(errors()) }
}

const MOST = 8192

/** The end of what a process writes to standard error. */
function lastWordsOf({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (part: string) => {
    text = `${text}${part}`.slice(-MOST)
  })
  return () => text
}

function sentenceOf(errors: string): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '')
  const fault = lines.find((line) => line.startsWith('assay: ')) ?? lines.at(-1)
  return fault?.replace(/^assay: /, '') ?? 'the run ended without a result'
}
