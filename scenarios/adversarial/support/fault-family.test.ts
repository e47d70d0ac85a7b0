import { expect, test } from 'vitest'
import { makeCheck } from '../../../conformance/attempt/check.ts'
import type { Reply } from '../../../conformance/attempt/reply.ts'
import type { CheckResult } from '../../../conformance/report/result.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { faultFamily } from './fault-family.ts'

const family = faultFamily('faults')

function scenarioOf(fault: string): Scenario {
  const found = family.find(({ id }) => id === `faults.${fault}`)
  if (found === undefined) throw new Error(`unknown fault ${fault}`)
  return found
}

/**
 * Returns the checks of a fault. The agent receives `offered` for its capabilities and `submitted` for its
 * evidence.
 */
async function checksOf(fault: string, offered: number, submitted = 400) {
  const scenario = scenarioOf(fault)
  const agent = {
    machine: { play: async () => undefined },
    offerInTurn: async () => ({ status: offered }) as Reply,
    negotiationIn: ({ status }: Reply) => {
      if (status !== 201) throw new Error('no offer')
      return {}
    },
    submit: async () => ({ status: submitted, exchange: 0, text: '' }) as Reply,
  }
  const results: CheckResult[] = []
  const sink = { lastExchange: () => 0, add: (result: CheckResult) => results.push(result) }
  const check = makeCheck(scenario.requirements, sink)
  await scenario.run({ machines: { pushAgent: async () => agent }, check } as unknown as Context)
  return results.map(({ ok, received }) => [ok, received])
}

test('a rejected offer counts as a refusal', async () => {
  expect(await checksOf('list-empty', 422)).toEqual([[true, '"refused"']])
})

test('an accepted offer followed by rejected evidence counts as a refusal', async () => {
  expect(await checksOf('list-empty', 201)).toEqual([[true, '"refused"']])
})

test('a server error in answer to evidence is no refusal', async () => {
  expect(await checksOf('list-empty', 201, 500)).toMatchObject([
    [false, expect.stringContaining('500')],
  ])
})
