import { expect, test } from 'vitest'
import type { CheckResult, Outcome, RunResult, ScenarioResult } from '../result.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { diffResults } from './diff.ts'

const run = sampleResult()
const ID = 'push.evidence.accepted'

const withScenario = (change: (one: ScenarioResult) => ScenarioResult): RunResult => ({
  ...run,
  scenarios: run.scenarios.map((one) => (one.id === ID ? change(one) : one)),
})

const withOutcome = (outcome: Outcome): RunResult => withScenario((one) => ({ ...one, outcome }))

const withChecks = (change: (check: CheckResult) => Partial<CheckResult>): RunResult =>
  withScenario((one) => ({
    ...one,
    checks: one.checks.map((check) => ({ ...check, ...change(check) })),
  }))

const without = (id: string): RunResult => ({
  ...run,
  scenarios: run.scenarios.filter((one) => one.id !== id),
})

const NONE = {
  worse: false,
  facts: [],
  complaints: [],
  scenarios: [],
  checks: [],
  requirements: [],
}

test('a run has no difference from itself', () => {
  expect(diffResults(run, sampleResult())).toMatchObject(NONE)
})

test('another seed, another time and another duration are no difference', () => {
  const later = { ...run, seed: 'ffffffff', started_at: '2027-01-01T00:00:00Z' }
  const slower = withScenario((one) => ({
    ...one,
    ms: 9_999,
    transcript: { entries: 0, kept: false },
  }))
  expect(diffResults(run, { ...later, scenarios: slower.scenarios })).toMatchObject(NONE)
})

test.each<readonly [Outcome, Outcome, string]>([
  ['pass', 'fail', 'worse'],
  ['pass', 'warn', 'worse'],
  ['pass', 'skipped', 'worse'],
  ['waived', 'fail', 'worse'],
  ['skipped', 'blocked', 'worse'],
  ['fail', 'pass', 'better'],
  ['warn', 'pass', 'better'],
  ['fail', 'warn', 'better'],
  ['fail', 'waived', 'changed'],
  ['fail', 'skipped', 'changed'],
  ['fail', 'hang', 'changed'],
])('an outcome that went from %s to %s is %s', (before, after, direction) => {
  const diff = diffResults(withOutcome(before), withOutcome(after))
  expect(diff.scenarios).toMatchObject([{ id: ID, version: '3.0', before, after, direction }])
  expect(diff.worse).toBe(direction === 'worse')
})

test('the same scenario under another version is compared separately', () => {
  const moved = withScenario((one) => ({ ...one, version: '3.1' }))
  expect(diffResults(run, moved).scenarios).toMatchObject([
    { version: '3.0', before: 'pass', after: null, direction: 'worse' },
    { version: '3.1', before: null, after: 'pass', direction: 'better' },
  ])
})

test.each([
  [ID, 'worse'],
  ['push.session.silent', 'changed'],
  ['push.timeout.lockout', 'changed'],
])('a removed %s is %s: only a scenario with a result is missed', (id, direction) => {
  expect(diffResults(run, without(id)).scenarios).toMatchObject([{ id, after: null, direction }])
})

test.each([
  [ID, 'better'],
  ['push.session.silent', 'worse'],
  ['push.timeout.lockout', 'changed'],
])('an added %s is %s', (id, direction) => {
  expect(diffResults(without(id), run).scenarios).toMatchObject([{ id, before: null, direction }])
})

test('a check that held and no longer holds is worse, with both values', () => {
  const broken = withChecks(({ what }) => (what === 'stage' ? { ok: false, received: 'x' } : {}))
  expect(diffResults(run, broken).checks).toMatchObject([
    { what: 'stage', before: 'evaluating_evidence', after: 'x', direction: 'worse' },
  ])
})

test('a check that still holds with another received value is changed', () => {
  const other = withChecks(({ what }) => (what === 'stage' ? { received: 'evaluated' } : {}))
  expect(diffResults(run, other)).toMatchObject({
    worse: false,
    checks: [{ direction: 'changed' }],
  })
})

test('a check that received another UUID and another time is no difference', () => {
  const received = (uuid: string, time: string) =>
    withChecks(() => ({ received: `agent ${uuid} at ${time}` }))
  const before = received('0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3', '2026-11-20T16:02:14Z')
  const after = received('5b0e7c1f-93a4-4d26-8f7e-b1c2d3e4f506', '2026-11-21T07:00:00.5Z')
  expect(diffResults(before, after)).toMatchObject(NONE)
})

test('a check that is no longer made is worse, even if its scenario passes', () => {
  const fewer = withScenario((one) => ({ ...one, checks: one.checks.slice(1) }))
  expect(diffResults(run, fewer).checks).toMatchObject([
    { what: 'status', standing_before: 'held', standing_after: null, direction: 'worse' },
  ])
})

test('equal checks are compared in their order', () => {
  const twice = (first: string, second: string) =>
    withScenario((one) => ({
      ...one,
      checks: [first, second].flatMap((received) =>
        one.checks.slice(0, 1).map((check) => ({ ...check, received })),
      ),
    }))
  expect(diffResults(twice('202', '202'), twice('202', '200')).checks).toMatchObject([
    { before: '202', after: '200' },
  ])
})

test('a failed check that is excused now is not better', () => {
  const broken = withChecks(() => ({ ok: false }))
  const excused = withChecks(() => ({ ok: false, excused: 'known' }))
  const directions = diffResults(broken, excused).checks.map(({ direction }) => direction)
  expect(new Set(directions)).toEqual(new Set(['changed']))
})

test.each([
  ['pass', 'fail', 'worse'],
  ['pass', undefined, 'worse'],
  [undefined, 'fail', 'worse'],
  ['fail', 'pass', 'better'],
  [undefined, 'pass', 'better'],
  ['fail', undefined, 'changed'],
] as const)('a requirement that went from %s to %s is %s', (before, after, direction) => {
  const having = (found: 'pass' | 'fail' | undefined): RunResult => ({
    ...run,
    requirements: run.requirements.map((row) => {
      if (row.id !== 'VPUSH-EVALUATION-PASS') return row
      return { ...row, by_version: found === undefined ? {} : { '3.0': found } }
    }),
  })
  expect(diffResults(having(before), having(after)).requirements).toMatchObject([
    { id: 'VPUSH-EVALUATION-PASS', version: '3.0', direction },
  ])
})

test('a lost verdict and a new complaint are worse', () => {
  const good = sampleResult([])
  const bad: RunResult = { ...good, verdict: 'no verdict', exit_code: 2, complaints: ['stale'] }
  expect(diffResults(good, bad)).toMatchObject({
    facts: [{ fact: 'verdict', before: 'conforms', after: 'no verdict', direction: 'worse' }],
    complaints: [{ before: null, after: 'stale', direction: 'worse' }],
  })
  expect(diffResults(bad, good).worse).toBe(false)
})

test('changes of Assay, interface or target are reported, and a change of port is not', () => {
  const [role, ...roles] = run.target.roles
  if (role === undefined) throw new Error('the sample has changed')
  const url = 'https://127.0.0.1:1'
  const moved = { ...run.target, roles: [{ ...role, url }, ...roles] }
  expect(diffResults(run, { ...run, target: moved }).facts).toEqual([])
  const other = { ...run, assay_version: '0.2.0', interface_sha256: '0'.repeat(64) }
  const facts = diffResults(run, { ...other, target: { ...moved, versions: ['3.0'] } }).facts
  expect(facts.map(({ fact }) => fact)).toEqual([
    'assay version',
    'interface sha256',
    'API versions',
  ])
})
