import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import { finding } from './findings.ts'
import { severityOf, worstSeverity } from './severity.ts'
import { recordedCase } from './testing/recorded-case.ts'

const LENIENT = [
  { event_id: 'ima\\.validation\\..*', severity_label: 'warning' },
  { event_id: 'pcr_validation\\.invalid_pcr_7', severity_label: 'notice' },
  { event_id: 'ima\\.pcr_mismatch', severity_label: 'terrible' },
  { event_id: '.*', severity_label: 'error' },
]
const violation = finding('ima.validation.tomtou', 'x')
const pcr7 = finding('pcr_validation.invalid_pcr_*', 'x', {}, 7)

test('without a policy of an operator every failure is an emergency', () => {
  expect([violation, pcr7].map((each) => severityOf(each))).toEqual([6, 6])
})

test('the first rule that matches the whole of the type decides', () => {
  const pcr70 = finding('pcr_validation.invalid_pcr_*', 'x', {}, 70)
  expect([violation, pcr7, pcr70].map((each) => severityOf(each, LENIENT))).toEqual([2, 1, 3])
})

test('a label that does not exist, and no rule at all, are of the highest level', () => {
  expect(severityOf(finding('ima.pcr_mismatch', 'x'), LENIENT)).toBe(6)
  expect(severityOf(violation, [])).toBe(6)
})

test('no rule lowers a failure that ended the evaluation', () => {
  expect(severityOf(finding('quote_validation.quote_validation', 'x'), LENIENT)).toBe(6)
  expect(severityOf(finding('measured_boot.parser.log', 'x'), LENIENT)).toBe(3)
})

test('labels of an operator have the numbers of their places', () => {
  const rules = [{ event_id: '.*', severity_label: 'bad' }]
  expect(severityOf(violation, rules, ['fine', 'bad', 'awful'])).toBe(1)
  expect(severityOf(violation, LENIENT, ['fine', 'bad', 'awful'])).toBe(2)
})

test('the first of the worst findings gives its type', () => {
  const worst = { severity_level: 2, last_event_id: 'ima.validation.tomtou' }
  const later = finding('ima.validation.ima_pcr', 'x')
  expect(worstSeverity([pcr7, violation, later], LENIENT)).toEqual(worst)
  expect(worstSeverity([], LENIENT)).toBeUndefined()
})

test('a failed evaluation has a severity, a passed one does not', () => {
  const failed = evaluate(recordedCase({ nonce: Uint8Array.of(1) }))
  expect(failed.severity).toEqual({
    severity_level: 6,
    last_event_id: 'quote_validation.quote_validation',
  })
  expect(evaluate(recordedCase())).not.toHaveProperty('severity')
})

test('the rules of an operator reach the evaluation', () => {
  const runtimePolicy = { tpmPolicy: { allowed: new Map([[0, []]]), mask: [] } }
  const severityPolicy = [{ event_id: 'pcr_validation.*', severity_label: 'info' }]
  const { severity } = evaluate(recordedCase({ ...runtimePolicy, severityPolicy }))
  expect(severity).toEqual({ severity_level: 0, last_event_id: 'pcr_validation.invalid_pcr_0' })
})
