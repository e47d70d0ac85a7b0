import type { Counts } from './counts.ts'
import type { World } from './world.ts'

/** A meeting of a part of ours with a part of the upstream release. */
export interface Cell {
  readonly id: string
  /** One sentence: what has to be seen. */
  readonly says: string
  /**
   * Meets them; throws a {@link Disagreement} at the first thing that is not as it should be. What was seen is a few
   * words, or what a suite came to.
   */
  readonly run: (world: World) => Promise<string | Counts>
}

/** What was to be seen, and was not. */
export class Disagreement extends Error {
  readonly what: string
  readonly expected: string
  readonly received: string

  constructor(what: string, expected: string, received: string) {
    super(`${what}: expected ${expected}, received ${received}`)
    this.name = 'Disagreement'
    this.what = what
    this.expected = expected
    this.received = received
  }
}

/** Goes on when the two are the same. */
export function expectSame(what: string, expected: string, received: unknown): void {
  if (received !== expected) throw new Disagreement(what, expected, String(received))
}

/** Goes on when the text is in what was received. */
export function expectIn(what: string, expected: string, received: string): void {
  if (!received.includes(expected)) throw new Disagreement(what, expected, lastLines(received))
}

const SHOWN = 400

function lastLines(text: string): string {
  return text.trim().slice(-SHOWN)
}
