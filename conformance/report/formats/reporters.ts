import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
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

/**
 * The progress of a run on standard output: the console report with what `--format github` adds, or the events of
 * `--format jsonl` in its place.
 */
export const createReporters = (
  options: ProgressOptions,
  formats: readonly string[],
  environment: Environment,
): Progress => {
  if (formats.includes('jsonl')) return createEvents(options.stream)
  const console = createProgress(options)
  if (!formats.includes('github')) return console
  const github = createGithubReporter(options, environment)
  return {
    ...console,
    started: (facts) => github.started?.(facts),
    closing: (result, paths) => {
      console.closing(result, paths)
      github.closing?.(result, paths)
    },
    failed: (error) => github.failed?.(error),
  }
}
