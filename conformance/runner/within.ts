import type { Bench } from './bench.ts'
import { capture } from './capture.ts'
import { deferred } from './deferred.ts'
import { DeadlinePassed, Interrupted } from './endings.ts'

/** What a scenario that is over is given to settle, in milliseconds. */
const SETTLE_MS = 2000

/**
 * Races the scenario against its deadline and against the person. When it loses, its requests are
 * aborted and it is given a moment to settle, so that what it was just making can be undone.
 */
export async function within(
  bench: Bench,
  stop: AbortController,
  run: () => Promise<void>,
): Promise<void> {
  const running = run()
  const { promise: ended, cancel } = ending(bench)
  try {
    await Promise.race([running, ended])
  } catch (error) {
    stop.abort()
    await Promise.race([capture(() => running), bench.wait(SETTLE_MS)])
    throw error
  } finally {
    cancel()
  }
}

function ending(bench: Bench): { promise: Promise<never>; cancel: () => void } {
  const { promise, reject } = deferred<never>()
  const onInterrupt = () => reject(new Interrupted('the run was ended by the person'))
  const timer = setTimeout(
    () => reject(new DeadlinePassed(`it was not over after ${bench.scenarioMs} ms`)),
    bench.scenarioMs,
  )
  bench.interrupted.addEventListener('abort', onInterrupt, { once: true })
  return {
    promise,
    cancel: () => {
      clearTimeout(timer)
      bench.interrupted.removeEventListener('abort', onInterrupt)
    },
  }
}
