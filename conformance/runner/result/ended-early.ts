import type { EndedEarly, ScenarioResult } from '../../report/result.ts'
import { counted } from '../../report/visible.ts'
import type { Death } from '../../target/deployment/deployment.ts'
import type { Health } from '../../target/deployment/health.ts'

type Decision = Pick<ScenarioResult, 'outcome' | 'reason' | 'unfinished'>

/** The signals that end a run before its last scenario. */
export interface EndSignals {
  /** The user ended it; the reason is the name of the signal. */
  readonly interrupted: AbortSignal
  /** Whether the subject died. */
  readonly health: Pick<Health, 'death'>
}

/** The reason of the signal that ends a run after its first failure. */
export const BAIL = '--bail'

const CUT_OFF = 'the subject died while it ran'

/** The decision for a scenario that has not started; undefined while the run goes on. */
export function decideUnstarted({ interrupted, health }: EndSignals): Decision | undefined {
  if (health.death() !== undefined) return unfinished('not run: the subject died before it')
  return interrupted.aborted ? unfinished('not run: the run was ended before it') : undefined
}

/** The decision for a scenario whose last request the dead subject did not answer. */
export function decideCutOff({ says }: Death): Decision {
  return { outcome: 'fail', reason: `${CUT_OFF}: ${says}` }
}

/** The decision for a scenario that was ended with the run. */
export const INTERRUPTED: Decision = unfinished('the run was ended while it ran')

function unfinished(reason: string): Decision {
  return { outcome: 'skipped', reason, unfinished: true }
}

/** The scenario at which the subject died: of those that were cut off, the first in time. */
function placeOf(results: readonly ScenarioResult[]): string {
  const cutOff = results
    .filter(({ reason }) => reason?.startsWith(CUT_OFF))
    .toSorted((one, other) => ((one.failed_at ?? '') < (other.failed_at ?? '') ? -1 : 1))
  const [first] = cutOff
  if (first === undefined) return 'while no request to it was open'
  const name = `at ${first.id} ${first.version}`
  if (cutOff.length === 1) return name
  const others = counted(cutOff.length - 1, 'other scenario')
  return `${name}, or at one of ${others} with an open request; --jobs 1 shows which`
}

/** Why a run ended before its last scenario; undefined if it did not. */
export function endedEarly(
  { interrupted, health }: EndSignals,
  results: readonly ScenarioResult[],
): EndedEarly | undefined {
  const left = results.filter(({ unfinished: isLeft }) => isLeft).length
  const death = health.death()
  if (death !== undefined) {
    const unrun = `${counted(left, 'scenario')} ${left === 1 ? 'was' : 'were'} not run`
    const says = `the subject died ${placeOf(results)}: ${death.says}; ${unrun}`
    return { because: 'died', says }
  }
  if (!interrupted.aborted) return undefined
  const finished = `${results.length - left} of ${counted(results.length, 'scenario')} had finished`
  if (interrupted.reason === BAIL)
    return {
      because: 'bail',
      says: `the run was ended after its first failure (${BAIL}): ${finished}`,
    }
  return { because: 'interrupted', says: `the run was ended by ${interrupted.reason}: ${finished}` }
}
