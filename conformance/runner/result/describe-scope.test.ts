import { expect, test } from 'vitest'
import type { ScenarioResult } from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import { describeScope } from './describe-scope.ts'

const WHOLE = { only: [], role: [], version: [] } as const

const scenarios = [
  { id: 'r', role: 'registrar' },
  { id: 'v', role: 'verifier' },
  { id: 'ima', role: 'verifier', needs: ['ima_log'] },
  { id: 'boot', role: 'verifier', needs: ['ima_log', 'uefi_log'] },
] as unknown as readonly Scenario[]

function result(
  id: string,
  role: string,
  version: string,
  outcome = 'pass',
  requirements: readonly string[] = [],
): ScenarioResult {
  const excused = outcome === 'waived' ? { excused: 'waived' } : {}
  const checks = requirements.map((requirement) => ({ requirement, ...excused }))
  return { id, role, version, outcome, checks } as unknown as ScenarioResult
}

const PROVEN = ['ATT-SIGNATURE-VERIFIED', 'ATT-QUOTE-OVER-CHALLENGE', 'ATT-PCRS-COVERED']
const pushed = result('v', 'verifier', '3.0', 'pass', PROVEN)

test('the text names roles, modes, versions and what the target file does not claim', () => {
  const results = [
    ...['2.1', '2.2', '2.3', '2.4', '2.5', '3.0'].map((version) =>
      result('r', 'registrar', version),
    ),
    pushed,
    result('ima', 'verifier', '3.0', 'not-applicable'),
  ]
  const { text, parts } = describeScope(results, scenarios, [], WHOLE)
  expect(text).toBe('registrar 2.1–3.0, verifier push 3.0 without IMA; 1 of 8 not applicable')
  expect(parts.at(-1)).toEqual({
    role: 'verifier',
    mode: 'push',
    versions: ['3.0'],
    without: ['ima_log'],
  })
})

test('versions with a gap are listed, and several missing capabilities are in parentheses', () => {
  const results = [
    result('v', 'verifier', '2.1'),
    result('v', 'verifier', '2.4'),
    result('boot', 'verifier', '2.4', 'not-applicable'),
  ]
  expect(describeScope(results, scenarios, [], WHOLE).text).toBe(
    'verifier pull 2.1/2.4 (without IMA, firmware logs); 1 of 3 not applicable',
  )
})

test('a capability that the target file lists is not missing', () => {
  const results = [pushed, result('boot', 'verifier', '3.0', 'not-applicable')]
  const [part] = describeScope(results, scenarios, ['ima_log'], WHOLE).parts
  expect(part?.without).toEqual(['uefi_log'])
})

test('the options that select a part are named', () => {
  const options = { ...WHOLE, only: ['v'], shard: [1, 2] as const }
  expect(describeScope([pushed], scenarios, [], options).narrowed).toEqual(['--only', '--shard'])
})

test('nothing is missing once signature, challenge and PCR values were checked', () => {
  expect(describeScope([pushed], scenarios, [], WHOLE).missing).toEqual([])
})

test('a run without a verifier needs no evidence', () => {
  const { missing } = describeScope([result('r', 'registrar', '3.0')], scenarios, [], WHOLE)
  expect(missing).toEqual([])
})

test.each(PROVEN)('without a check of %s there is no verdict in push mode', (id) => {
  const others = PROVEN.filter((one) => one !== id)
  const results = [result('v', 'verifier', '3.0', 'pass', others)]
  const { missing } = describeScope(results, scenarios, [], WHOLE)
  expect(missing).toEqual([expect.stringContaining(`push mode (3.0): no check of ${id} counts`)])
})

test('the sentence names the scenario that ended before its check, and why', () => {
  const blocked = result('quote', 'verifier', '3.0', 'blocked')
  const ended = { ...blocked, reason: 'no session', requirements: [...PROVEN] }
  const { missing } = describeScope([result('v', 'verifier', '3.0'), ended], scenarios, [], WHOLE)
  expect(missing).toEqual([
    expect.stringMatching(/counts; quote ended before its check: no session$/),
  ])
})

test('a check that is excused does not count', () => {
  const results = [pushed, result('v', 'verifier', '3.0', 'waived', PROVEN.slice(0, 1))]
  const { missing } = describeScope(results, scenarios, [], WHOLE)
  expect(missing).toEqual([expect.stringContaining('ATT-SIGNATURE-VERIFIED counts')])
})

test('the sentence for pull mode says what to add to the target file', () => {
  const results = [pushed, result('v', 'verifier', '2.1')]
  const { missing } = describeScope(results, scenarios, [], WHOLE)
  expect(missing).toEqual([
    expect.stringMatching(/pull mode \(2\.1\).*add '2\.4' or '2\.5'.*pull_mode/),
  ])
})

test.each([
  ['polls', ['VER-PULL-BAD-SIGNATURE', 'VER-PULL-OTHER-NONCE', 'VER-PULL-PCRS-TRUE']],
  [
    'verify/evidence',
    ['VER-EVIDENCE-SIGNATURE', 'VER-EVIDENCE-QUOTE-OVER-NONCE', 'VER-EVIDENCE-PCR-DIGEST'],
  ],
])('in pull mode the checks of %s are enough', (_route, ids) => {
  const results = [result('v', 'verifier', '2.1'), result('v', 'verifier', '2.5', 'pass', ids)]
  expect(describeScope(results, scenarios, [], WHOLE).missing).toEqual([])
})
