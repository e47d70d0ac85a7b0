import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PolicyError } from '../policy-error.ts'
import { parseTpmPolicy } from './tpm-policy.ts'

const digest = fc.constantFrom(40, 64, 96, 128).map((digits) => 'a'.repeat(digits))
const noPcr = fc.oneof(
  fc.integer({ min: 24, max: 300 }).map(String),
  fc.nat(23).map((pcr) => `0${pcr}`),
  fc.constantFrom('', '-1', '1e1', '0x0a', ' 10', '__proto__', 'constructor', 'length'),
)

/** A reader of static PCR policies refuses a member that is no PCR, whatever else is in the policy. */
function refusesOtherMembers(parse: typeof parseTpmPolicy) {
  return fc.property(noPcr, fc.nat(23), digest, (name, pcr, value) => {
    const members = [`"${pcr}":["${value}"]`, `"${name}":["${value}"]`]
    expect(() => parse(`{${members.join()}}`)).toThrow(PolicyError)
  })
}

test('a policy over something that is no PCR is refused', () => {
  fc.assert(refusesOtherMembers(parseTpmPolicy), { numRuns: 500 })
})

test('a reader that takes a PCR that does not exist is found', () => {
  const lenient = (text: string) => parseTpmPolicy(text.replace(/"(?:24|010)":/, '"8":'))
  expect(
    fc.check(refusesOtherMembers(lenient), { numRuns: 20_000, endOnFailure: true }).failed,
  ).toBe(true)
})
