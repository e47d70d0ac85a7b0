import { expect, test } from 'vitest'
import { loadRequirements } from '../../catalogue/load-requirements.ts'
import { type Outcome, ROLES, type Role, type ScenarioResult } from '../../report/result.ts'
import { discoverScenarios } from '../discover.ts'
import { planTrials } from '../plan.ts'
import { blockUnproven, withCountingChecks } from './proven.ts'

const SCENARIOS = [
  { id: 'proof.one', provesFunction: true },
  { id: 'proof.two', provesFunction: true },
  { id: 'proof.three', provesFunction: true },
  { id: 'proof.four', provesFunction: true },
  { id: 'plain' },
] as const

const check = (ok: boolean) => ({
  ...{ requirement: 'REQ', what: 'status', expected: '200', received: '404', ok, at: 0 },
})

function result(id: string, outcome: Outcome, more: Partial<ScenarioResult> = {}): ScenarioResult {
  return {
    ...{ id, title: id, role: 'verifier', version: '3.0', requirements: ['REQ'], outcome, ms: 1 },
    ...{ checks: [check(true), check(false)], observations: [], repeat: '' },
    transcript: { entries: 0, kept: false },
    ...more,
  }
}

const outcomesOf = (results: readonly ScenarioResult[]) =>
  blockUnproven(SCENARIOS, results).map(({ outcome }) => outcome)

test('a third of the marked scenarios shows that a component works', () => {
  const results = [
    result('proof.one', 'fail'),
    result('proof.two', 'pass'),
    result('proof.three', 'fail'),
    result('plain', 'pass'),
  ]
  expect(blockUnproven(SCENARIOS, results)).toEqual(results)
  expect(withCountingChecks(SCENARIOS, results)).toEqual(results)
  const quarter = [...results, result('proof.four', 'fail')]
  expect(outcomesOf(quarter)).toEqual(['fail', 'blocked', 'fail', 'blocked', 'fail'])
})

test('passes of a component that does nothing are blocked, and failures stay', () => {
  const results = [
    result('proof.one', 'fail', { reason: 'no token' }),
    result('proof.two', 'blocked'),
    ...(['pass', 'warn', 'observed', 'hang'] as const).map((outcome) => result('plain', outcome)),
  ]
  const blocked = blockUnproven(SCENARIOS, results)
  expect(blocked.map(({ outcome }) => outcome)).toEqual([
    ...['fail', 'blocked', 'blocked', 'blocked', 'observed', 'hang'],
  ])
  expect(blocked[2]).toMatchObject({
    reason: expect.stringMatching(/verifier works under 3\.x.*\(proof\.one, proof\.two\)$/),
    blocked_by: { id: 'proof.one', version: '3.0', outcome: 'fail', reason: 'no token' },
  })
})

test('of a component that does nothing only the checks count that did not hold', () => {
  const results = [result('proof.one', 'fail'), result('plain', 'fail')]
  const counting = withCountingChecks(SCENARIOS, results)
  expect(counting.map(({ checks }) => checks.map(({ ok }) => ok))).toEqual([[false], [false]])
})

test('a component is judged by major version, and by itself', () => {
  const results = [
    result('proof.one', 'pass', { version: '2.5' }),
    result('proof.one', 'fail'),
    result('plain', 'pass', { version: '2.1' }),
    result('plain', 'pass', { version: '1.0' }),
    result('plain', 'pass'),
    result('plain', 'pass', { role: 'registrar' }),
  ]
  expect(outcomesOf(results)).toEqual(['pass', 'fail', 'pass', 'pass', 'blocked', 'pass'])
})

test('a scenario that fails under many versions counts as one, and passes if it does under any', () => {
  const results = [
    ...['2.3', '2.4', '2.5'].map((version) => result('proof.one', 'fail', { version })),
    result('proof.two', 'fail', { version: '2.4' }),
    result('proof.two', 'pass', { version: '2.5' }),
    result('plain', 'pass', { version: '2.1' }),
  ]
  expect(outcomesOf(results)).toEqual(['fail', 'fail', 'fail', 'fail', 'pass', 'pass'])
})

test('a scenario that was left out or does not apply shows nothing either way', () => {
  const results = [
    result('proof.one', 'skipped'),
    result('proof.two', 'not-applicable'),
    result('plain', 'pass'),
  ]
  expect(outcomesOf(results)).toEqual(['skipped', 'not-applicable', 'pass'])
})

/** Where a component with such versions and no capability has no scenario that shows that it works. */
const scenarios = await discoverScenarios(loadRequirements())

test.each<readonly [Role, readonly string[]]>([
  ...['2.1', '2.2', '2.3', '2.4', '2.5', '3.0'].flatMap((version) => [
    ['registrar', [version]] as const,
    ['verifier', [version]] as const,
  ]),
  ['pull_agent', ['2.5']],
  ['push_agent', ['3.0']],
  ['tenant', ['2.5']],
])(
  'a run of the %s under %s without capabilities has scenarios that show that it works',
  (role, versions) => {
    expect(ROLES).toContain(role)
    const trials = planTrials(scenarios, { roles: [role], versions, capabilities: [], only: [] })
    const marked = trials.filter(
      ({ scenario, excluded }) => scenario.provesFunction && excluded === undefined,
    )
    expect(marked.length).toBeGreaterThan(1)
  },
)

test('a scenario that shows that a component works waits for no real time', () => {
  const marked = scenarios.filter(({ provesFunction }) => provesFunction)
  expect(marked.filter(({ alone }) => alone).map(({ id }) => id)).toEqual([])
})
