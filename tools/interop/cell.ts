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
