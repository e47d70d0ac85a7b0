import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeStubAttester, stubCase } from '../testing/stub-attester.ts'
import { evaluateQuote, quoteChecks } from './quote.ts'

const soft = makeStubAttester()
const few = fc.nat(3)
const clock = fc.record({ clock: few.map(BigInt), resetCount: few, restartCount: few })

/** Of two quotes the later one passes only if its clock went on, whatever TPM resets and restarts came between. */
function clockGoesOn(checks: typeof quoteChecks) {
  return fc.property(clock, clock, fc.boolean(), (before, now, safe) => {
    const input = stubCase(soft, { previousClock: before }, { clockInfo: { ...now, safe } })
    if (evaluateQuote(input, checks).findings.length > 0) return
    expect(now.resetCount >= before.resetCount).toBe(true)
    if (now.resetCount > before.resetCount) return
    expect(now.restartCount >= before.restartCount && now.clock > before.clock).toBe(true)
  })
}

test('a quote whose clock stood still or went back without a reset does not pass, safe or not', () => {
  fc.assert(clockGoesOn(quoteChecks), { numRuns: 1000 })
})

test('without the check of the clock one passes', () => {
  const checks = quoteChecks.filter(({ id }) => id !== 'quote.clock')
  expect(checks).toHaveLength(quoteChecks.length - 1)
  expect(fc.check(clockGoesOn(checks), { numRuns: 8000, endOnFailure: true }).failed).toBe(true)
})
