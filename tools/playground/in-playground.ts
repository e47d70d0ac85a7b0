import { SetupFault } from '../../conformance/input/fault.ts'
import { checkSwtpm } from '../../conformance/runner/check-tools.ts'
import { openPlace, type PlaygroundPlace } from './place.ts'
import type { Playground } from './playground.ts'
import type { UpOptions } from './up-options.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Time for a pending start to notice the abort. */
const SETTLE_MS = 10_000
/** Time for an orderly shutdown of a kept playground. */
const SLEEP_MS = 20_000

/** What a playground is played in. */
export interface Surroundings {
  readonly opened: Opened
  readonly place: PlaygroundPlace
  /** Aborted by a signal, and by `play`. */
  readonly stopping: AbortController
}

interface Opened {
  /** Undefined until the servers are ready. */
  playground: Playground | undefined
}

/**
 * Opens the place of a playground for `play`, and removes everything except the directory of `keep` when `play` ends, or
 * a signal comes, after which it returns undefined.
 */
export async function inPlayground<T>(
  options: UpOptions,
  say: (line: string) => void,
  play: (around: Surroundings) => Promise<T>,
): Promise<T | undefined> {
  checkSwtpm(process.env.PATH)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of SIGNALS) process.on(signal, stop)
  const place = await openPlace(options, say)
  const opened: Opened = { playground: undefined }
  const work = play({ place, stopping, opened })
  try {
    return await Promise.race([work, aborted(stopping.signal)])
  } catch (error) {
    throw withoutRunFiles(error, place, options)
  } finally {
    stop()
    await leave(work, place, opened)
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
}

/** Ends every process, waits for pending starts, and removes the files. */
async function leave(
  work: Promise<unknown>,
  place: PlaygroundPlace,
  { playground }: Opened,
): Promise<void> {
  if (place.isKept) await within(SLEEP_MS, playground?.close())
  await place.end()
  await within(SETTLE_MS, work)
  place.remove()
}

/** Waits until a promise settles, at most `ms` milliseconds. */
async function within(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  let late: NodeJS.Timeout | undefined
  const enough = new Promise((resolve) => {
    late = setTimeout(resolve, ms)
  })
  await Promise.race([work?.catch(() => undefined), enough])
  clearTimeout(late)
}

/** Replaces the next step of a fault that names a log file: without --keep that file has been removed. */
function withoutRunFiles(error: unknown, { run }: PlaygroundPlace, { keep }: UpOptions): unknown {
  const isGone = keep === undefined && error instanceof SetupFault && error.next?.includes(run.path)
  if (!isGone) return error
  return new SetupFault(error.sentence, {
    next: 'pass --keep DIRECTORY to keep its logs',
    cause: error,
    ...(error.code && { code: error.code }),
  })
}
