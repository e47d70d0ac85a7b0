import { expect, test } from 'vitest'
import { failureReason, finding } from './findings.ts'

const broken = finding('ima.pcr_mismatch', 'x')
const violated = finding('pcr_validation.invalid_pcr_*', 'x', { got: '00' }, 7)

test('the place of the star is filled', () => {
  expect(violated.type).toBe('pcr_validation.invalid_pcr_7')
})

test('details are added to the message', () => {
  expect(violated.context).toEqual({ message: 'x', got: '00' })
})

test('a broken chain outweighs a violated policy, in any order', () => {
  expect(failureReason([violated, broken])).toBe('broken_evidence_chain')
  expect(failureReason([violated])).toBe('policy_violation')
  expect(failureReason([])).toBeUndefined()
})
