import type { Outcome, Role, ScenarioResult } from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import { decideOutcome, isStanding } from './outcome.ts'

type Kind = Pick<Scenario, 'id' | 'provesFunction'>

/** Outcomes of scenarios that came to a judgement. */
const JUDGED: ReadonlySet<Outcome> = new Set([
  ...(['pass', 'warn', 'waived', 'fail', 'hang'] as const),
  ...(['blocked', 'harness-fault'] as const),
])

/**
 * Why the passes of a component prove nothing; undefined if it works. A server that sends the same reply to every
 * request, or a recorded one, passes scenarios: those that expect its status, rejections, and routes that must be
 * absent. None of them counts unless at least a third of the scenarios pass whose replies depend on keys and evidence
 * (`provesFunction`), by role and major version; one that passes under any version of it passes. A component that does
 * nothing passes none of them, and one that works may fail some: each is a check of its own.
 *
 * A role without such a scenario in this run, for example because of `--only`, counts as working. A major version
 * without one is decided by the other versions of the role.
 */
type WhyUnproven = (result: Pick<ScenarioResult, 'role' | 'version'>) => Block | undefined

type Block = Required<Pick<ScenarioResult, 'reason' | 'blocked_by'>>

function whyUnproven(scenarios: readonly Kind[], results: readonly ScenarioResult[]): WhyUnproven {
  const marked = new Set(scenarios.flatMap((one) => (one.provesFunction ? [one.id] : [])))
  const witnesses = results.filter(({ id, outcome }) => marked.has(id) && JUDGED.has(outcome))
  const decided = new Map<string, Block | undefined>()
  return ({ role, version }) => {
    const major = majorOf(version)
    const key = `${role} ${major}`
    if (!decided.has(key)) decided.set(key, decide(witnesses, role, major))
    return decided.get(key)
  }
}

function decide(
  witnesses: readonly ScenarioResult[],
  role: Role,
  major: string,
): Block | undefined {
  const ofRole = witnesses.filter((one) => one.role === role)
  const ofMajor = ofRole.filter(({ version }) => majorOf(version) === major)
  const asked = ofMajor.length > 0 ? ofMajor : ofRole
  const passed = new Set(asked.filter(({ outcome }) => isStanding(outcome)).map(({ id }) => id))
  const all = new Set(asked.map(({ id }) => id))
  const missing = [...all].filter((id) => !passed.has(id))
  const first = asked.find(({ id }) => missing.includes(id))
  if (first === undefined || 3 * passed.size >= all.size) return undefined
  const reason =
    `nothing shows that the ${role.replace('_', ' ')} works under ${major}.x, so a pass proves nothing: ` +
    `${missing.length} of ${all.size} scenarios that depend on keys and evidence did not pass (${missing.join(', ')})`
  const { id, version, outcome, reason: why = outcome } = first
  return { reason, blocked_by: first.blocked_by ?? { id, version, outcome, reason: why } }
}

/** The results, with the passes of components that do nothing as `blocked`. */
export function blockUnproven(
  scenarios: readonly Kind[],
  results: readonly ScenarioResult[],
): readonly ScenarioResult[] {
  const why = whyUnproven(scenarios, results)
  return results.map((result) => {
    const block = isStanding(result.outcome) ? why(result) : undefined
    return block === undefined ? result : { ...result, outcome: 'blocked', ...block }
  })
}

/** The results as they were before {@link blockUnproven}: a scenario that its twin blocks makes no check. */
export function withoutBlocks(results: readonly ScenarioResult[]): readonly ScenarioResult[] {
  return results.map((result) => {
    const { reason: _, blocked_by: __, ...rest } = result
    const { checks, observations, outcome } = result
    if (outcome !== 'blocked' || checks.length === 0) return result
    return {
      ...rest,
      ...decideOutcome({ checks, observations: observations.length, thrown: undefined }),
    }
  })
}

/** The results with the checks that count: of a component that does nothing only those that did not hold. */
export function withCountingChecks(
  scenarios: readonly Kind[],
  results: readonly ScenarioResult[],
): readonly ScenarioResult[] {
  const why = whyUnproven(scenarios, results)
  return results.map((result) =>
    why(result) === undefined
      ? result
      : { ...result, checks: result.checks.filter(({ ok }) => !ok) },
  )
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? version
}
