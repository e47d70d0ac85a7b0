import { capture } from '../attempt/capture.ts'
import { deferred } from '../attempt/deferred.ts'
import { DeadlinePassed, Interrupted } from '../attempt/endings.ts'
import type { Slot } from '../attempt/slots.ts'
import type { RunEnvironment } from './run-environment.ts'

/** Time for a scenario to settle after its end, in milliseconds. */
const SETTLE_MS = 2000

/**
 * Races the scenario against its deadline and against the end of the run. If it loses, its requests are aborted, and it
 * gets {@link SETTLE_MS} to settle, so that objects it was creating can be deleted. The deadline pauses while the
 * scenario waits for a slot or for a resource that another scenario holds.
 */
export async function within(
  environment: RunEnvironment,
  stop: AbortController,
  slot: Slot,
  run: () => Promise<void>,
): Promise<void> {
  const running = run()
  const { promise: ended, cancel } = ending(environment, slot)
  try {
    await Promise.race([running, ended])
  } catch (error) {
    stop.abort()
    await Promise.race([capture(() => running), environment.wait(SETTLE_MS)])
    throw error
  } finally {
    cancel()
  }
}

function ending(
  environment: RunEnvironment,
  slot: Slot,
): { promise: Promise<never>; cancel: () => void } {
  const { promise, reject } = deferred<never>()
  const onEnd = () => reject(new Interrupted('the run was ended'))
  const ends = [environment.interrupted, environment.health.died]
  const deadline = new Deadline(environment.scenarioMs, environment.now, () =>
    reject(new DeadlinePassed(`it did not end within ${environment.scenarioMs} ms`)),
  )
  slot.onHold = (held) => deadline.hold(held)
  for (const end of ends) end.addEventListener('abort', onEnd, { once: true })
  return {
    promise,
    cancel: () => {
      slot.onHold = () => undefined
      deadline.cancel()
      for (const end of ends) end.removeEventListener('abort', onEnd)
    },
  }
}

/** A time limit that pauses while a promise is pending. */
class Deadline {
  readonly #now: () => number
  readonly #onPassed: () => void
  #left: number
  #since = 0
  #holds = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, now: () => number, onPassed: () => void) {
    this.#left = ms
    this.#now = now
    this.#onPassed = onPassed
    this.#go()
  }

  hold(held: Promise<unknown>): void {
    if (this.#holds++ === 0) {
      clearTimeout(this.#timer)
      this.#left -= this.#now() - this.#since
    }
    const release = () => {
      if (--this.#holds === 0) this.#go()
    }
    held.then(release, release)
  }

  cancel(): void {
    this.#holds = Number.POSITIVE_INFINITY
    clearTimeout(this.#timer)
  }

  #go(): void {
    this.#since = this.#now()
    this.#timer = setTimeout(this.#onPassed, Math.max(0, this.#left))
  }
}
