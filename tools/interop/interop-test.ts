import type { Counts } from './counts.ts'
import type { InteropEnvironment } from './environment.ts'

/** A test of one of our components with a component of the upstream release. */
export interface InteropTest {
  readonly id: string
  /** One sentence: the expected behaviour. */
  readonly title: string
  /** Runs at the same time as the tests before and after it that say so too: none of them stops what another needs. */
  readonly beside?: true
  /**
   * Runs the test; throws a {@link Disagreement} at the first unexpected result. Resolves to a summary, or to the counts
   * of a suite.
   */
  readonly run: (environment: InteropEnvironment) => Promise<string | Counts>
}
