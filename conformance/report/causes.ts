import { maskVarying } from './diff/mask-varying.ts'
import { brokenChecks, standingOf } from './diff/standing.ts'
import { groupBy } from './group-by.ts'
import { OUTCOME_ROWS } from './outcomes.ts'
import type { Cause, FailedStep, RunOf, ScenarioResult, UnservedOperation } from './result.ts'
import { checkSentence, stepSentence } from './sentences.ts'

/** What a scenario failed for: the step or the check that decided its outcome, or only a sentence. */
interface Reason {
  readonly step: boolean
  readonly requirement?: string
  readonly says: string
}

const ofStep = (step: FailedStep): Reason => ({
  step: true,
  ...(step.requirement === undefined ? {} : { requirement: step.requirement }),
  says: stepSentence(step),
})

const ofUnserved = ({ operation, answer }: UnservedOperation, requirement?: string): Reason => ({
  step: true,
  ...(requirement === undefined ? {} : { requirement }),
  says: `no request of this run for ${operation} was answered with success; the answer was ${answer}`,
})

const reasonOf = ({
  outcome,
  reason = '',
  failed_step,
  unserved,
  checks,
}: ScenarioResult): Reason => {
  if (unserved !== undefined) return ofUnserved(unserved, failed_step?.requirement)
  if (failed_step !== undefined) return ofStep(failed_step)
  const broken = brokenChecks(checks).find((check) => standingOf(check) === 'broke')
  if (broken === undefined || outcome !== 'fail') return { step: false, says: reason }
  return { step: false, requirement: broken.requirement, says: checkSentence(broken) }
}

/** Equal for failures that differ only in ids, instants, ports and encoded bytes. */
const keyOf = ({ step, says }: Reason, { outcome, unserved }: ScenarioResult): string =>
  unserved?.operation ??
  [outcome, step, maskVarying(says).replaceAll(/\bport \d{1,5}\b/g, 'port <port>')].join(' ')

const runOf = ({ id, version }: RunOf): RunOf => ({ id, version })

const nameOf = ({ id, version }: RunOf): string => `${id}@${version}`

const isFailure = ({ outcome }: ScenarioResult): boolean =>
  outcome !== 'blocked' && OUTCOME_ROWS[outcome].tally === 'failed'

/** Later than any instant. */
const UNKNOWN = Number.POSITIVE_INFINITY

const timeOf = ({ failed_at: at }: ScenarioResult): number =>
  at === undefined ? UNKNOWN : Date.parse(at)

/** The failures in the order of time; those without an instant keep the order of the run, after the others. */
const inTime = (scenarios: readonly ScenarioResult[]): readonly ScenarioResult[] =>
  scenarios.filter(isFailure).toSorted((one, other) => {
    const [left, right] = [timeOf(one), timeOf(other)]
    return left === right ? 0 : left - right
  })

/**
 * Groups the failures of a run by requirement, what was done or checked, and expected and received value. Causes are in
 * the order of their first failures. Each has the scenarios that are blocked because one of its scenarios failed.
 */
export const causesOf = (scenarios: readonly ScenarioResult[]): readonly Cause[] => {
  const groups = new Map<string, { reason: Reason; failures: ScenarioResult[] }>()
  for (const scenario of inTime(scenarios)) {
    const reason = reasonOf(scenario)
    const key = keyOf(reason, scenario)
    const group = groups.get(key) ?? { reason, failures: [] }
    group.failures.push(scenario)
    groups.set(key, group)
  }
  const blocked = groupBy(
    scenarios.filter(({ blocked_by: blocker }) => blocker !== undefined),
    ({ blocked_by: blocker }) => (blocker === undefined ? '' : nameOf(blocker)),
  )
  return [...groups.values()].flatMap(({ reason, failures }) => {
    const [first] = failures
    if (first === undefined) return []
    const { failed_at: at } = first
    return {
      ...reason,
      first: { ...runOf(first), ...(at === undefined ? {} : { at }) },
      failed: failures.map(runOf),
      blocked: failures.flatMap((one) => blocked.get(nameOf(one)) ?? []).map(runOf),
    }
  })
}
