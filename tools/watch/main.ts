import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { parse, parseRunOptions } from '../../conformance/options/cli-options.ts'
import { defaultTarget } from '../../conformance/options/default-target.ts'
import { writeAtomically } from '../../conformance/report/write-atomically.ts'
import { runCommand } from '../../conformance/runner/run-command.ts'
import { loadTarget } from '../../conformance/target/load-target.ts'
import { openHistory } from './history.ts'
import { historyPage } from './history-page.ts'
import { serveMetrics } from './metrics.ts'
import { runRound } from './run-round.ts'
import { watch } from './watch.ts'

interface WatchOptions {
  readonly target: string
  readonly every: number
  readonly out: string
  readonly history?: string
  readonly metrics?: number
  readonly rounds?: number
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Milliseconds of `30s`, `5m`, `1h` or `1d`, at most a week. */
export function readInterval(text: string): number {
  const [, number = '0', unit = 's'] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = Number(number) * (UNITS[unit] ?? 0)
  if (seconds >= 1 && seconds <= 7 * 86_400) return seconds * 1000
  throw new InvalidArgumentError('it takes a time such as 90s, 5m, 1h or 1d, at most 7d.')
}

function readNumber(most: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,6}$/.test(text) && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`it takes a whole number up to ${most}.`)
  }
}

/** `assay watch`; `argv[0]` is the verb. What follows `--` are options of `assay run`. */
export async function main([, ...argv]: readonly string[]): Promise<number> {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  const options = parseWatchOptions(own)
  if (options === undefined) return 0
  const { target: file, every, rounds, out, metrics: port } = options
  const words = ['--target', file, ...(end < 0 ? [] : argv.slice(end + 1))]
  const last = join(out, 'last')
  const run = parseRunOptions([...words, '--out', last], file)
  if (run === undefined) return 0
  // A mistake in an option or in the target file must not pass for a round without a verdict.
  await runCommand({ ...run, list: true }, { write: () => undefined })
  const nowhere = join(out, 'none')
  const target = await loadTarget(file, { run: nowhere, ekCa: nowhere, env: process.env })
  const history = openHistory(options.history ?? join(out, 'history.sqlite'), target.name)
  const page = join(out, 'history.html')
  const metrics = port === undefined ? undefined : await serveMetrics(history, port)
  if (metrics !== undefined) process.stdout.write(`metrics: ${metrics.url}\n`)
  process.stdout.write(`history: ${page}; Ctrl-C ends the watch\n`)
  const { signal: stop, undo } = signals()
  try {
    const request = { history, every, stop, stream: process.stdout }
    return await watch(rounds === undefined ? request : { ...request, rounds }, {
      now: Date.now,
      wait: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
      run: () => runRound(words, last, stop),
      publish: async (whole) => void (await writeAtomically(page, historyPage(whole))),
    })
  } finally {
    undo()
    await metrics?.close()
    history.close()
  }
}

function parseWatchOptions(argv: readonly string[]): WatchOptions | undefined {
  return parse(
    new Command('assay watch')
      .usage('[options] [-- options of assay run]')
      .description(
        'runs the scenarios again and again, says what changed, and keeps the history in one file',
      )
      .option('--target <file>', 'target file', defaultTarget())
      .requiredOption(
        '--every <time>',
        'from the start of one round to the next: 90s, 5m, 1h, 1d',
        readInterval,
      )
      .option(
        '--out <directory>',
        'for history.html, and last/, the reports of the last round',
        'reports/out/watch',
      )
      .option('--history <file>', 'SQLite file of the history (default: history.sqlite in --out)')
      .option(
        '--metrics <port>',
        'serve OpenMetrics at /metrics on this machine; 0 takes any free port',
        readNumber(65_535),
      )
      .option('--rounds <number>', 'end after this many rounds', readNumber(999_999)),
    argv,
  )?.opts<WatchOptions>()
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Aborts at the first signal; the round that runs ends with its reports. */
function signals() {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  for (const signal of SIGNALS) process.on(signal, abort)
  return {
    signal: stop.signal,
    undo: () => {
      for (const signal of SIGNALS) process.off(signal, abort)
    },
  }
}
