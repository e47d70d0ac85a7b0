import { deferred } from './deferred.ts'

/** The compute slot of one attempt. */
export interface Slot {
  /** Releases the slot while waiting for the subject, and continues when a slot is free again. */
  rest<T>(wait: () => Promise<T>): Promise<T>
  /** Releases the slot for a time that is over at a certain moment, and continues then, even if no slot is free. */
  pause<T>(wait: () => Promise<T>): Promise<T>
  /**
   * Waits for a resource that another scenario holds, or for a subject that has a time limit of its own. The wait does
   * not count towards this scenario's time limit.
   */
  queue<T>(wait: () => Promise<T>): Promise<T>
  /** Waits until no other scenario runs; does nothing for one that never runs beside others. */
  waitForOthers: () => Promise<void>
  /** Called with waits that do not count towards the scenario's time limit, such as waiting for a slot. */
  onHold: (held: Promise<unknown>) => void
}

/** Attempts in progress, computing or waiting, per compute slot. */
const UNDER_WAY = 6

/** Maximum number of agents that a verifier polls at once for all attempts together. */
const POLLED_AGENTS = 40

/** What is known of an attempt before it begins. */
export interface Demand {
  /** Of the attempts that wait, the one of the highest urgency begins first. */
  readonly urgency?: number | undefined
  /** Number of agents that the verifier polls for it. */
  readonly polled?: number | undefined
}

/** An attempt that waits for its first slot. */
interface Beginning {
  readonly urgency: number
  readonly polled: number
  readonly begin: () => void
}

/**
 * Limits how many attempts compute at once, how many are in progress, and how many polled agents these have: a verifier
 * that polls too many comes too late for each of them. An attempt that waits releases its slot.
 * Attempts that continue have priority over new ones; of new ones the most urgent begins, and of two alike the first. One
 * whose time is over does not wait for a slot: on a busy machine that took seconds, and what it was to observe was over.
 */
export class Slots {
  readonly #goingOn: (() => void)[] = []
  readonly #beginning: Beginning[] = []
  #free: number
  #underWay = 0
  #polled = 0
  readonly #most: number

  constructor(atOnce: number) {
    this.#free = atOnce
    this.#most = atOnce === 1 ? 1 : atOnce * UNDER_WAY
  }

  /** Runs a task once a slot is free. */
  async run<T>(
    task: (slot: Slot) => Promise<T>,
    { urgency = 0, polled = 0 }: Demand = {},
  ): Promise<T> {
    await this.#take((begin) => {
      const after = this.#beginning.findLastIndex((other) => other.urgency >= urgency)
      this.#beginning.splice(after + 1, 0, { urgency, polled, begin })
    })
    try {
      return await task(this.#slot())
    } finally {
      this.#underWay--
      this.#polled -= polled
      this.#give()
    }
  }

  #slot(): Slot {
    let resting = 0
    const again = async () => {
      const taken = this.#take((goOn) => this.#goingOn.push(goOn))
      slot.onHold(taken)
      await taken
    }
    const rest = async <T>(
      wait: () => Promise<T>,
      goOn: () => Promise<void> | void,
    ): Promise<T> => {
      if (resting++ === 0) this.#give()
      try {
        return await wait()
      } finally {
        if (--resting === 0) await goOn()
      }
    }
    const slot: Slot = {
      rest: (wait) => rest(wait, again),
      pause: (wait) => rest(wait, () => void this.#free--),
      queue: (wait) =>
        rest(() => {
          const waited = wait()
          slot.onHold(waited)
          return waited
        }, again),
      waitForOthers: async () => undefined,
      onHold: () => undefined,
    }
    return slot
  }

  async #take(enqueue: (take: () => void) => void): Promise<void> {
    const { promise, resolve } = deferred<void>()
    enqueue(() => resolve(undefined))
    this.#serve()
    await promise
  }

  #give(): void {
    this.#free++
    this.#serve()
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#goingOn.shift() ?? this.#nextToBegin()
      if (next === undefined) return
      this.#free--
      next()
    }
  }

  /** Takes the first attempt that may begin from those that wait. */
  #nextToBegin(): (() => void) | undefined {
    if (this.#underWay >= this.#most) return undefined
    const at = this.#beginning.findIndex(
      ({ polled }) => polled === 0 || this.#polled === 0 || this.#polled + polled <= POLLED_AGENTS,
    )
    const [next] = at < 0 ? [] : this.#beginning.splice(at, 1)
    if (next === undefined) return undefined
    this.#underWay++
    this.#polled += next.polled
    return next.begin
  }
}

/** The slot of a scenario that runs alone. */
export const NO_SLOT: Slot = {
  rest: (wait) => wait(),
  pause: (wait) => wait(),
  queue: (wait) => wait(),
  waitForOthers: async () => undefined,
  onHold: () => undefined,
}
