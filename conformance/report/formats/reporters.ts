import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import type { OutputStream } from '../console/live-lines.ts'
import { createProgress, type Progress, type ProgressOptions } from '../progress.ts'
import type { RunResult } from '../result.ts'
import { createEvents } from './events.ts'
import { annotationsOf, errorOf, summaryOf } from './github.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Appends, because other steps of the job write summaries too. Returns a warning if the file cannot be written. */
const writeSummary = (result: RunResult, path: string | undefined): readonly string[] => {
  if (path === undefined || path === '') return []
  try {
    appendFileSync(path, summaryOf(result))
    return []
  } catch {
    return ['::warning title=Assay::the file that GITHUB_STEP_SUMMARY names cannot be written']
  }
}

/**
 * Writes annotations and the job summary at the end. Until then GitHub reads no workflow command, so that nothing that a
 * subject sends is one.
 */
const createGithubReporter = (
  { stream }: Pick<ProgressOptions, 'stream'>,
  environment: Environment,
): Partial<Progress> => {
  const token = randomUUID()
  const end = (...lines: readonly string[]): void => {
    stream.write(`${[`::${token}::`, ...lines].join('\n')}\n`)
  }
  return {
    started: () => stream.write(`::stop-commands::${token}\n`),
    closing: (result) =>
      end(...annotationsOf(result), ...writeSummary(result, environment.GITHUB_STEP_SUMMARY)),
    failed: (error) => end(errorOf(error)),
  }
}

/** Reports to each, in their order. */
const toEach = (all: readonly Partial<Progress>[]): Progress => ({
  started: (facts) => all.forEach((one) => void one.started?.(facts)),
  began: (plan) => all.forEach((one) => void one.began?.(plan)),
  setup: (step) => all.forEach((one) => void one.setup?.(step)),
  finished: (scenario) => all.forEach((one) => void one.finished?.(scenario)),
  closing: (result, paths) => all.forEach((one) => void one.closing?.(result, paths)),
  interrupted: () => all.forEach((one) => void one.interrupted?.()),
  failed: (error) => all.forEach((one) => void one.failed?.(error)),
})

/**
 * The progress of a run on standard output: the console report with what `--format github` adds, or the events of
 * `--format jsonl` in its place. `log` receives the console report with every line.
 */
export const createReporters = (
  options: ProgressOptions,
  formats: readonly string[],
  environment: Environment,
  log?: OutputStream,
): Progress => {
  if (formats.includes('jsonl')) return createEvents(options.stream)
  return toEach([
    createProgress(options),
    ...(formats.includes('github') ? [createGithubReporter(options, environment)] : []),
    ...(log === undefined ? [] : [createProgress({ stream: log, colour: false })]),
  ])
}
