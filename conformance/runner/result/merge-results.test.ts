import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CatalogueRow } from '../../catalogue/requirement.ts'
import type {
  Baseline,
  CheckResult,
  RunResult,
  ScenarioResult,
  Selection,
} from '../../report/result.ts'
import { sampleResult } from '../../report/testing/sample-result.ts'
import type { Scenario } from '../../scenario.ts'
import { planTrials, type Trial } from '../plan.ts'
import { failuresOf } from './baseline.ts'
import { judgeRun } from './judge-run.ts'
import { mergeResults, type Shard } from './merge-results.ts'
import { decideOutcome, isStanding } from './outcome.ts'

const VERSIONS = ['2.5', '3.0']

const scenario = (id: string, more: Partial<Scenario> = {}): Scenario => ({
  ...{ id, title: id, requirements: ['REQ'], role: 'verifier', since: '2.1' },
  run: () => Promise.resolve(),
  ...more,
})

const SCENARIOS: readonly Scenario[] = [
  scenario('a'),
  scenario('a.one', { variantOf: 'a', provesFunction: true }),
  scenario('a.two', { variantOf: 'a.one' }),
  scenario('b', { provesFunction: true }),
  scenario('c', { matrix: { name: 'colours', cells: () => ['red', 'blue'] } }),
  scenario('d', { since: '3.0', needs: ['ima_log'] }),
  scenario('e', { role: 'registrar', provesFunction: true }),
  scenario('f', { role: 'registrar' }),
]

const ROWS: readonly CatalogueRow[] = ['REQ', 'OTHER'].map((id) => ({
  ...{ id, component: 'verifier', since: '2.1', lines: [1], says: id },
  ...{ strength: 'fixed', judged: 'wire' },
}))

const JUDGE = {
  ...{ assay_version: '0.1.0', interface_sha256: sampleResult().interface_sha256 },
  ...{ scenarios: SCENARIOS, requirements: ROWS },
}

const SELECTION: Selection = { only: [], exclude: [], role: [], version: [] }

const TARGET = {
  ...sampleResult().target,
  ...{ versions: VERSIONS, capabilities: ['ima_log', 'uefi_log'] },
}

interface Rolled {
  readonly ok: readonly boolean[]
  readonly fault: boolean
}

const check = (ok: boolean, cell?: string): CheckResult => ({
  ...{ requirement: ok ? 'REQ' : 'OTHER', what: 'status', expected: '200', received: '500', ok },
  ...{ at: 0, ...(cell === undefined ? {} : { cell }) },
})

/** Results as a run would have them: a variant is blocked if its twin did not pass. */
function resultsOf(trials: readonly Trial[], rolled: ReadonlyMap<string, Rolled>) {
  const done = new Map<string, ScenarioResult>()
  for (const trial of trials) {
    const { id, title, role, requirements, variantOf, matrix } = trial.scenario
    const name = `${id} ${trial.version}`
    const head = { id, title, role, requirements, version: trial.version, ms: 1, observations: [] }
    const twin = done.get(`${variantOf} ${trial.version}`)
    const rest = { transcript: { entries: 0, kept: false }, repeat: '' }
    const linked = variantOf === undefined ? {} : { variant_of: variantOf }
    const { ok = [true], fault = false } = rolled.get(name) ?? {}
    const checks = ok.map((one, at) => check(one, matrix && ['red', 'blue'][at]))
    const thrown = fault ? new Error('a slip') : undefined
    const own = decideOutcome({ checks, observations: 0, thrown })
    const { outcome = 'fail', reason = '', id: first = '' } = twin ?? {}
    const blocker = twin?.blocked_by ?? { id: first, version: trial.version, outcome, reason }
    const blocked: Pick<ScenarioResult, 'outcome' | 'reason' | 'checks' | 'blocked_by'> = {
      ...{ outcome: 'blocked', reason: 'its twin', checks: [], blocked_by: blocker },
    }
    const isBlocked = twin !== undefined && !isStanding(twin.outcome)
    const decided = isBlocked ? blocked : { ...own, checks }
    done.set(name, { ...head, ...rest, ...linked, ...decided })
  }
  return [...done.values()]
}

const PLAN = { roles: ['verifier', 'registrar'], versions: VERSIONS, capabilities: ['ima_log'] }

function run(
  rolled: ReadonlyMap<string, Rolled>,
  shard?: readonly [number, number],
  baseline?: Baseline,
): RunResult {
  const trials = planTrials(SCENARIOS, { ...PLAN, only: [], ...(shard && { shard }) })
  const selection = { ...SELECTION, ...(shard && { shard }) }
  return judgeRun({
    facts: { ...sampleResult(), assay_version: '0.1.0', target: TARGET, selection },
    ...{ results: resultsOf(trials, rolled), scenarios: SCENARIOS, requirements: ROWS },
    ...{ capabilities: TARGET.capabilities, roles: TARGET.roles.map(({ role }) => role) },
    narrowing: { ...SELECTION, ...(shard && { shard: [...shard] as const }) },
    ended: undefined,
    complaints: [],
    allowances: ['REQ is waived'],
    baseline,
  })
}

const shardsOf = (rolled: ReadonlyMap<string, Rolled>, of: number, baseline?: Baseline) =>
  Array.from({ length: of }, (_, at) => ({
    name: `shard-${at + 1}`,
    result: run(rolled, [at + 1, of], baseline),
  }))

const NAMES = SCENARIOS.flatMap(({ id }) => VERSIONS.map((version) => `${id} ${version}`))

const rolls = fc
  .array(
    fc.record({
      ok: fc.array(
        fc.integer({ max: 3 }).map((one) => one !== 0),
        { minLength: 1, maxLength: 2 },
      ),
      fault: fc.integer({ min: 0, max: 40 }).map((one) => one === 0),
    }),
    { minLength: NAMES.length, maxLength: NAMES.length },
  )
  .map((all) => new Map(NAMES.map((name, at) => [name, all[at] ?? { ok: [], fault: false }])))

const whole = ({ setup, ...result }: RunResult) => result

test('merged shards are the result of a whole run', () => {
  fc.assert(
    fc.property(rolls, fc.integer({ min: 1, max: 4 }), (rolled, of) => {
      const merged = mergeResults(shardsOf(rolled, of), JUDGE)
      expect(whole(merged)).toEqual(whole(run(rolled)))
    }),
    { numRuns: 300 },
  )
})

test('merged shards with a baseline are the result of a whole run with it', () => {
  fc.assert(
    fc.property(rolls, fc.integer({ min: 0, max: 3 }), (rolled, left) => {
      const entries = run(rolled).scenarios.flatMap(failuresOf).slice(left)
      const stale = { scenario: 'b', version: '3.0', requirement: 'X', what: 'nothing' }
      const baseline = { file: 'b.yaml', entries: left === 3 ? [...entries, stale] : entries }
      const merged = mergeResults(shardsOf(rolled, 3, baseline), JUDGE)
      const one = run(rolled, undefined, baseline)
      expect(whole({ ...merged, complaints: merged.complaints.toSorted() })).toEqual(
        whole({ ...one, complaints: one.complaints.toSorted() }),
      )
    }),
    { numRuns: 300 },
  )
})

const PASSED: ReadonlyMap<string, Rolled> = new Map()

test('the shards can be given in any order, and their steps of the set-up name the shard', () => {
  const merged = mergeResults(shardsOf(PASSED, 3).toReversed(), JUDGE)
  expect(merged).toEqual(mergeResults(shardsOf(PASSED, 3), JUDGE))
  expect(merged.setup).toHaveLength(3 * sampleResult().setup.length)
  expect(merged.setup[0]?.what).toBe('shard 1/3: CA certificate')
  expect(merged.selection).toEqual(SELECTION)
})

const changed = (change: (result: RunResult) => Partial<RunResult>): readonly Shard[] =>
  shardsOf(PASSED, 2).map((one, at) =>
    at === 0 ? one : { ...one, result: { ...one.result, ...change(one.result) } },
  )

const selected = (more: Partial<Selection>) =>
  changed(({ selection = SELECTION }) => ({ selection: { ...selection, ...more } }))

const targeted = (more: Partial<RunResult['target']>) =>
  changed(({ target }) => ({ target: { ...target, ...more } }))

test.each<readonly [string, readonly Shard[], string]>([
  ['another seed', changed(() => ({ seed: '9' })), 'the seed is 7f3a91c2, and 9'],
  [
    'another version of Assay',
    changed(() => ({ assay_version: '9' })),
    'version of Assay is 0.1.0',
  ],
  [
    'another document',
    changed(() => ({ interface_sha256: '0'.repeat(64) })),
    'the interface document is 1b2c',
  ],
  [
    'another target',
    targeted({ name: 'other' }),
    'the target is Example vendor (made up), and other',
  ],
  ['another target file', targeted({ file: 'other.yaml' }), 'the target file is vendor.yaml'],
  ['other versions', targeted({ versions: ['3.0'] }), 'the API versions is 2.5 3.0, and 3.0'],
  [
    'other capabilities',
    targeted({ capabilities: [] }),
    'the capabilities is ima_log uefi_log, and',
  ],
  ['another dialect', targeted({ dialect: 'keylime' }), 'the dialect is document, and keylime'],
  ['another number', selected({ shard: [2, 3] }), 'the number of shards is 2, and 3'],
  ['another --only', selected({ only: ['a'] }), 'the --only is none, and a'],
  ['another --since', selected({ since: '3.0' }), 'the --since is none, and 3.0'],
  [
    'a baseline in one of them',
    changed(() => ({ baseline: { file: 'b.yaml', entries: [] } })),
    'the baseline is another one',
  ],
  ['a shard twice', selected({ shard: [1, 2] }), 'shard 1/2 is given twice: shard-1 and shard-2'],
  ['a missing shard', shardsOf(PASSED, 3).slice(1), 'shard 1/3 is missing'],
  [
    'a whole run',
    [...shardsOf(PASSED, 2), { name: 'all', result: run(PASSED) }],
    'all is not the result of a shard',
  ],
  [
    'a scenario of another suite',
    changed(({ scenarios }) => ({ scenarios: scenarios.map((one) => ({ ...one, id: 'z' })) })),
    'shard-2 has the scenario z, which this Assay does not have',
  ],
])('%s is refused, and the sentence names the difference', (_what, shards, sentence) => {
  expect(() => mergeResults(shards, JUDGE)).toThrow(sentence)
})

test('shards of another Assay than the one that merges are refused', () => {
  expect(() => mergeResults(shardsOf(PASSED, 2), { ...JUDGE, assay_version: '9' })).toThrow(
    'was written by Assay 0.1.0, and this is 9',
  )
})

test('a shard that ended early ends the run early, with the worst reason', () => {
  const early = (because: 'died' | 'bail') => (shards: readonly Shard[], at: number) =>
    shards.map((one, number) => {
      const says = `ended because of ${because}`
      const ended = { ended_early: { because, says }, complaints: [says] }
      return number === at ? { ...one, result: { ...one.result, ...ended } } : one
    })
  const shards = early('died')(early('bail')(shardsOf(PASSED, 2), 0), 1)
  const says = 'shard 1/2: ended because of bail; shard 2/2: ended because of died'
  expect(mergeResults(shards, JUDGE)).toMatchObject({
    ...{ verdict: 'does not conform', ended_early: { because: 'died', says }, complaints: [says] },
  })
})

test('a whole run that conforms in shards conforms', () => {
  const only = SCENARIOS.filter(({ role }) => role === 'registrar')
  const parts = [1, 2].map((part) => {
    const shard = [part, 2] as const
    const trials = planTrials(only, { ...PLAN, only: [], shard })
    const selection = { ...SELECTION, shard }
    const facts = { ...sampleResult(), target: { ...TARGET, capabilities: [] }, selection }
    const judged = judgeRun({
      ...{ facts, results: resultsOf(trials, PASSED), scenarios: only, requirements: ROWS },
      ...{ capabilities: [], roles: ['registrar'], narrowing: selection, ended: undefined },
      ...{ complaints: [], allowances: [], baseline: undefined },
    })
    expect(judged.verdict).toBe('part passed')
    return { name: `${part}`, result: judged }
  })
  expect(mergeResults(parts, JUDGE)).toMatchObject({
    ...{ verdict: 'conforms', exit_code: 0, certification: { possible: true } },
  })
})
