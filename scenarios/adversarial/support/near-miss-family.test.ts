import { expect, test } from 'vitest'
import { makeCheck } from '../../../conformance/attempt/check.ts'
import type { CheckResult } from '../../../conformance/report/result.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { nearMissFamily } from './near-miss-family.ts'

/** The checks of the quotes at a verifier that answers all evidence alike. */
async function checksOf(valid: boolean): Promise<readonly CheckResult[]> {
  const quotes = nearMissFamily('near', 'twin').find(({ id }) => id === 'near.quotes')
  const checks: CheckResult[] = []
  const add = (result: CheckResult) => void checks.push(result)
  const body = { results: { valid, failures: [] } }
  const verifyEvidence = () => Promise.resolve({ status: 200, body, exchange: 0 })
  await quotes?.run({
    check: makeCheck(quotes.requirements, { lastExchange: () => 0, add }),
    verifier: { dialect: {}, verifyEvidence },
  } as unknown as Context)
  return checks
}

const again = ({ what }: CheckResult): boolean => /^valid of .*, again$/.test(what)

test('evidence is sent again only where it was rejected', async () => {
  expect((await checksOf(false)).filter(again)).toHaveLength(5)
  expect((await checksOf(true)).filter(again)).toEqual([])
})
