import { expect, test } from 'vitest'
import { loadMutants } from '../catalogue/load-mutants.ts'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { API_VERSIONS } from '../catalogue/requirement.ts'
import { ROLES, type ScenarioResult } from '../report/result.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { planTrials } from '../runner/plan.ts'
import { EVIDENCE_MODES, missingEvidence } from '../runner/result/needed-evidence.ts'
import { decideVerdict, limitVerdict } from '../runner/result/outcome.ts'
import type { Scenario } from '../scenario.ts'

const requirements = loadRequirements()
const scenarios = await discoverScenarios(requirements)

/** Every requirement that a verdict on a verifier may rest on. */
const NEEDED = new Set(EVIDENCE_MODES.flatMap(({ anyOf }) => anyOf.flat()))

/** Mutants of the reference whose evidence proves less; the self-test of mutants shows that these checks fail on them. */
const UNPROVEN = /^(quote-proves-nothing|(polled-)?quote\.(nonce|signature)-not-checked)$/
const KILLED = new Set(
  loadMutants().flatMap(({ id, kills = '' }) => (UNPROVEN.test(id) ? [kills] : [])),
)

const rests = scenarios.filter((one) => one.requirements.some((id) => NEEDED.has(id)))
const twins = new Set(rests.map(({ variantOf }) => variantOf))
/** Tests the verifier under every version and without capabilities. */
const ANYWHERE = 'matrix.routes.verifier.read-agent'
/** Other scenarios change neither what a verdict rests on nor whether the verifier is tested. */
const planned = scenarios.filter(
  (one) => rests.includes(one) || twins.has(one.id) || one.id === ANYWHERE,
)
const capabilities = [...new Set(planned.flatMap(({ needs = [] }) => needs))].sort()

function subsetsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.reduce<readonly (readonly Item[])[]>(
    (subsets, item) => subsets.flatMap((subset) => [subset, [...subset, item]]),
    [[]],
  )
}

/** The verdict on a verifier that fails the checks of some requirements, for a choice of versions and capabilities. */
function verdictOf(
  fails: ReadonlySet<string>,
  versions: readonly string[],
  claimed: readonly string[],
): string {
  const trials = planTrials(planned, { roles: ROLES, versions, capabilities: claimed, only: [] })
  const results = trials.map(({ scenario, version, excluded }) =>
    resultOf(scenario, version, excluded?.outcome, fails),
  )
  const scope = { narrowed: [], missing: missingEvidence(results) }
  return limitVerdict(decideVerdict(results), scope).verdict
}

function resultOf(
  scenario: Scenario,
  version: string,
  excluded: string | undefined,
  fails: ReadonlySet<string>,
): ScenarioResult {
  const ids = excluded === undefined ? scenario.requirements : []
  const checks = ids.map((requirement) => ({ requirement, ok: !fails.has(requirement) }))
  const outcome = excluded ?? (checks.every(({ ok }) => ok) ? 'pass' : 'fail')
  return { ...scenario, version, outcome, checks } as unknown as ScenarioResult
}

const NOTHING: ReadonlySet<string> = new Set()

test('a verdict rests on security requirements of the catalogue', () => {
  const secure = new Set(
    requirements.filter(({ security }) => security === true).map(({ id }) => id),
  )
  expect([...NEEDED].filter((id) => !secure.has(id))).toEqual([])
})

test.each([
  ['conforms', ['2.4'], []],
  ['conforms', ['2.5', '3.0'], []],
  ['conforms', ['2.3'], ['pull_mode']],
  ['conforms', API_VERSIONS, []],
  ['no verdict', ['2.3'], []],
  ['no verdict', ['2.1', '3.0'], ['ima_log']],
] as const)('the verdict on a verifier without a failure is: %s under %j with %j', (...choice) => {
  const [verdict, versions, claimed] = choice
  expect(verdictOf(NOTHING, versions, claimed)).toBe(verdict)
})

test('the mutants that check neither nonce nor signature fail checks of each mode', () => {
  const unkilled = EVIDENCE_MODES.flatMap(({ anyOf }) => anyOf).filter(
    (ids) => !ids.some((id) => KILLED.has(id)),
  )
  expect(unkilled).toEqual([])
})

test('a verifier that checks neither nonce nor signature conforms for no choice of versions and capabilities', () => {
  const wrong = subsetsOf(API_VERSIONS).flatMap((versions) =>
    subsetsOf(capabilities)
      .filter((claimed) => verdictOf(KILLED, versions, claimed) === 'conforms')
      .map((claimed) => `${versions} [${claimed}]`),
  )
  expect(wrong).toEqual([])
})
