import { deferred } from './deferred.ts'

/** The place of one attempt among those that keep the machine busy. */
export interface Slot {
  /** Waits for the subject. Another scenario may compute meanwhile; this one goes on when there is a slot again. */
  rest<T>(wait: () => Promise<T>): Promise<T>
  /** Waits for something that another scenario has. The time it takes is not counted as this scenario's. */
  queue<T>(wait: () => Promise<T>): Promise<T>
  /** Called with what must not count as the scenario's own time, such as waiting for a slot. */
  onHold: (held: Promise<unknown>) => void
}

/** For each attempt that computes, so many may be under way, waiting for the subject. */
const UNDER_WAY = 6

/**
 * Lets a number of attempts compute at once, and a larger number be under way: an attempt that waits gives up its slot.
 * Attempts that go on come before those that begin, and both in the order in which they asked.
 */
export class Slots {
  readonly #goingOn: (() => void)[] = []
  readonly #beginning: (() => void)[] = []
  #free: number
  #underWay = 0
  readonly #most: number

  constructor(atOnce: number) {
    this.#free = atOnce
    this.#most = atOnce === 1 ? 1 : atOnce * UNDER_WAY
  }

  /** Runs a task when there is a slot for it. */
  async run<T>(task: (slot: Slot) => Promise<T>): Promise<T> {
    await this.#take(this.#beginning)
    this.#underWay++
    try {
      return await task(this.#slot())
    } finally {
      this.#underWay--
      this.#give()
    }
  }

  #slot(): Slot {
    let resting = 0
    const rest = async <T>(wait: () => Promise<T>, isHeld: boolean): Promise<T> => {
      if (resting++ === 0) this.#give()
      try {
        const waited = wait()
        if (isHeld) slot.onHold(waited)
        return await waited
      } finally {
        if (--resting === 0) {
          const again = this.#take(this.#goingOn)
          slot.onHold(again)
          await again
        }
      }
    }
    const slot: Slot = {
      rest: (wait) => rest(wait, false),
      queue: (wait) => rest(wait, true),
      onHold: () => undefined,
    }
    return slot
  }

  async #take(queue: (() => void)[]): Promise<void> {
    const { promise, resolve } = deferred<void>()
    queue.push(() => resolve(undefined))
    this.#serve()
    await promise
  }

  #give(): void {
    this.#free++
    this.#serve()
  }

  #serve(): void {
    while (this.#free > 0) {
      const mayBegin = this.#underWay < this.#most
      const next = this.#goingOn.shift() ?? (mayBegin ? this.#beginning.shift() : undefined)
      if (next === undefined) return
      this.#free--
      next()
    }
  }
}

/** The slot of a scenario that nothing else runs beside. */
export const NO_SLOT: Slot = {
  rest: (wait) => wait(),
  queue: (wait) => wait(),
  onHold: () => undefined,
}
