import { sameReceived } from '../json/held-values.ts'
import type { RequirementResult } from '../requirement-result.ts'
import type { CheckResult, Outcome, Role, RunResult, ScenarioResult, Verdict } from '../result.ts'
import { maskVarying } from './mask-varying.ts'
import { type Standing, standingOf } from './standing.ts'

/** Direction of a difference; `changed` is neither worse nor better. */
export type Direction = 'worse' | 'better' | 'changed'

/** A value that differs between two runs; null if a run does not have it. */
export interface Change<Value = string> {
  readonly direction: Direction
  readonly before: Value | null
  readonly after: Value | null
}

export interface FactChange extends Change {
  readonly fact: string
}

export interface Place {
  readonly role: Role
  readonly id: string
  readonly version: string
}

export interface ScenarioChange extends Place, Change<Outcome> {
  readonly title: string
}

/** A difference in a check of a scenario that both runs have. */
export interface CheckChange extends Place, Change {
  readonly requirement: string
  readonly what: string
  readonly standing_before: Standing | null
  readonly standing_after: Standing | null
}

export interface RequirementChange extends Change<'pass' | 'fail'> {
  readonly id: string
  readonly version: string
}

/** Every difference between two runs. Seed, times, transcripts and observations are not compared. */
export interface RunDiff {
  readonly schema: 'assay.diff/1'
  /** Whether any difference is worse. */
  readonly worse: boolean
  readonly compared: {
    readonly scenarios: number
    readonly checks: number
    readonly requirements: number
  }
  readonly facts: readonly FactChange[]
  readonly complaints: readonly Change[]
  readonly scenarios: readonly ScenarioChange[]
  readonly checks: readonly CheckChange[]
  readonly requirements: readonly RequirementChange[]
}

/** 0 is proved good, 2 is unproved, higher is worse. An absent scenario proves as little as a skipped one. */
const ABSENT = 2

const OUTCOME_RANKS: Readonly<Record<Outcome, number>> = {
  pass: 0,
  warn: 1,
  observed: ABSENT,
  waived: ABSENT,
  'not-applicable': ABSENT,
  skipped: ABSENT,
  blocked: 3,
  'harness-fault': 3,
  hang: 4,
  fail: 4,
}

const STANDING_RANKS: Readonly<Record<Standing, number>> = {
  held: 0,
  warned: 1,
  excused: 2,
  broke: 4,
}

const CELL_RANKS = { pass: 0, fail: 4 } as const

const VERDICT_RANKS: Readonly<Record<Verdict, number>> = {
  conforms: 0,
  'part passed': 1,
  'matches the baseline': ABSENT,
  'does not conform': 4,
  'no verdict': 4,
}

/** Better requires a proof: a failure that is skipped or excused now is not better. */
const directionOf = (before: number, after: number): Direction => {
  if (after > before) return 'worse'
  return after < before && after < ABSENT ? 'better' : 'changed'
}

const rankIn = <Value extends string>(
  ranks: Readonly<Record<Value, number>>,
  value: Value | null,
): number => (value === null ? ABSENT : ranks[value])

const pairs = <Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly [Item | undefined, Item | undefined])[] => {
  const [left, right] = [before, after].map(
    (items) => new Map(items.map((item) => [keyOf(item), item])),
  )
  const keys = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])
  return [...keys].map((key) => [left?.get(key), right?.get(key)] as const)
}

const placeKey = ({ role, id, version }: Place): string => JSON.stringify([role, id, version])

const scenarioChange = (
  before: ScenarioResult | undefined,
  after: ScenarioResult | undefined,
): readonly ScenarioChange[] => {
  const one = after ?? before
  if (one === undefined || before?.outcome === after?.outcome) return []
  const [was, is] = [before?.outcome ?? null, after?.outcome ?? null]
  const direction = directionOf(rankIn(OUTCOME_RANKS, was), rankIn(OUTCOME_RANKS, is))
  const { role, id, version, title } = one
  return [{ direction, role, id, version, title, before: was, after: is }]
}

interface NumberedCheck {
  readonly key: string
  readonly check: CheckResult
}

/** A scenario may make the same check several times; the number of the repetition distinguishes them. */
const numbered = (checks: readonly CheckResult[]): readonly NumberedCheck[] => {
  const seen = new Map<string, number>()
  return checks.map((check) => {
    const name = JSON.stringify([check.requirement, maskVarying(check.what)])
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return { key: `${name} ${count}`, check }
  })
}

const checkChange = (
  place: Place,
  before: CheckResult | undefined,
  after: CheckResult | undefined,
): readonly CheckChange[] => {
  const one = after ?? before
  if (one === undefined) return []
  const [was, is] = [before, after].map((check) => (check ? standingOf(check) : null))
  const standing_before = was ?? null
  const standing_after = is ?? null
  const same = before && after && sameReceived(before.received, after.received)
  if (standing_before === standing_after && same === true) return []
  return [
    {
      ...place,
      direction: directionOf(
        rankIn(STANDING_RANKS, standing_before),
        rankIn(STANDING_RANKS, standing_after),
      ),
      requirement: one.requirement,
      what: one.what,
      standing_before,
      standing_after,
      before: before?.received ?? null,
      after: after?.received ?? null,
    },
  ]
}

const checkChanges = (
  before: ScenarioResult | undefined,
  after: ScenarioResult | undefined,
): readonly CheckChange[] => {
  if (before === undefined || after === undefined) return []
  const { role, id, version } = after
  return pairs(numbered(before.checks), numbered(after.checks), ({ key }) => key).flatMap(
    ([left, right]) => checkChange({ role, id, version }, left?.check, right?.check),
  )
}

const requirementChanges = (
  before: RequirementResult | undefined,
  after: RequirementResult | undefined,
): readonly RequirementChange[] => {
  const id = (after ?? before)?.id ?? ''
  const [left, right] = [before?.by_version ?? {}, after?.by_version ?? {}]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((version) => {
    const [was, is] = [left[version] ?? null, right[version] ?? null]
    if (was === is) return []
    const direction = directionOf(rankIn(CELL_RANKS, was), rankIn(CELL_RANKS, is))
    return [{ direction, id, version, before: was, after: is }]
  })
}

const complaintChanges = (a: RunResult, b: RunResult): readonly Change[] =>
  pairs(a.complaints, b.complaints, (complaint) => complaint).flatMap(
    ([before, after]): Change[] => {
      if (before !== undefined && after !== undefined) return []
      const direction = before === undefined ? 'worse' : 'better'
      return [{ direction, before: before ?? null, after: after ?? null }]
    },
  )

type Fact = readonly [fact: string, read: (run: RunResult) => string]

const certificateOf = ({ certification }: RunResult): string =>
  certification.possible ? 'possible' : 'not possible'

const rolesOf = ({ target }: RunResult): string =>
  target.roles
    .map(({ role, url }) => (url === undefined ? role : `${role} ${maskVarying(url)}`))
    .join(', ')

const NEUTRAL_FACTS: readonly Fact[] = [
  ['assay version', (run) => run.assay_version],
  ['interface sha256', (run) => run.interface_sha256],
  ['target', ({ target }) => target.name],
  ['target file', ({ target }) => target.file],
  ['roles', rolesOf],
  ['API versions', ({ target }) => target.versions.join(', ')],
  ['dialect', ({ target }) => target.dialect],
]

const factChanges = (a: RunResult, b: RunResult): readonly FactChange[] => {
  const change = ([fact, read]: Fact, direction: Direction): FactChange => ({
    fact,
    direction,
    before: read(a),
    after: read(b),
  })
  return [
    change(
      ['verdict', (run) => run.verdict],
      directionOf(VERDICT_RANKS[a.verdict], VERDICT_RANKS[b.verdict]),
    ),
    change(['certificate', certificateOf], b.certification.possible ? 'better' : 'worse'),
    ...NEUTRAL_FACTS.map((fact) => change(fact, 'changed')),
  ].filter(({ before, after }) => before !== after)
}

const WORST_FIRST: readonly Direction[] = ['worse', 'better', 'changed']

const worstFirst = <One extends { readonly direction: Direction }>(
  changes: readonly One[],
): readonly One[] =>
  WORST_FIRST.flatMap((direction) => changes.filter((one) => one.direction === direction))

/**
 * The differences of run `b` from run `a`, worst first in each list. Received values are compared without parts that
 * vary between runs (`maskVarying`), and are returned unchanged.
 */
export const diffResults = (a: RunResult, b: RunResult): RunDiff => {
  const scenarios = pairs(a.scenarios, b.scenarios, placeKey)
  const requirements = pairs(a.requirements, b.requirements, ({ id }) => id)
  const changes = {
    facts: worstFirst(factChanges(a, b)),
    complaints: worstFirst(complaintChanges(a, b)),
    scenarios: worstFirst(scenarios.flatMap(([left, right]) => scenarioChange(left, right))),
    checks: worstFirst(scenarios.flatMap(([left, right]) => checkChanges(left, right))),
    requirements: worstFirst(
      requirements.flatMap(([left, right]) => requirementChanges(left, right)),
    ),
  }
  return {
    schema: 'assay.diff/1',
    worse: Object.values(changes).some((list) => list.some((one) => one.direction === 'worse')),
    compared: {
      scenarios: scenarios.length,
      checks: b.scenarios.reduce((sum, one) => sum + one.checks.length, 0),
      requirements: requirements.length,
    },
    ...changes,
  }
}
