import { expect, test } from 'vitest'
import { countAttestations } from './count-attestations.ts'
import type { AttestationTimes } from './order.ts'

const at = (...seconds: readonly number[]): readonly AttestationTimes[] =>
  seconds.map((second) => [second * 1000, second])
const missed = (attestations: readonly AttestationTimes[]) =>
  countAttestations([attestations], [10_000, 50_000], 10_000).missed

test('an agent that attests at each interval misses none', () => {
  expect(missed(at(5, 15, 25.5, 36, 46))).toBe(0)
})

test('an agent later than one and a half intervals has missed one attestation, and later still more', () => {
  expect(missed(at(5, 15, 30, 40, 49))).toBe(0)
  expect(missed(at(5, 15, 30.1, 40, 49))).toBe(1)
  expect(missed(at(5, 15, 44))).toBe(2)
})

test('an agent that never attests, or stops, misses the remaining attestations', () => {
  expect(missed(at())).toBe(3)
  expect(missed(at(5, 15))).toBe(3)
})

test('attestations outside the time range are not counted', () => {
  const counts = countAttestations([at(5, 15, 25, 35, 45, 55)], [10_000, 50_000], 10_000)
  expect(counts).toEqual({
    agents: 1,
    attestations: 4,
    missed: 0,
    longest: 10_000,
    p50: 35,
    p95: 45,
  })
})
