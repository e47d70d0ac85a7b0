import { expect, test } from 'vitest'
import { Slots } from '../attempt/slots.ts'
import type { Scenario } from '../scenario.ts'
import { BENCH } from '../selftest/outcomes/five-outcomes.ts'
import { planTrials } from './plan.ts'
import { startTrials } from './start-trials.ts'

const PLAN = { roles: ['verifier'], versions: ['3.0'], capabilities: [], only: [] }

/** Runs scenarios; returns for each the ids of those that were running at its start. */
async function companyOf(scenarios: readonly Partial<Scenario>[], jobs: number) {
  const running = new Set<string>()
  const company: Record<string, readonly string[]> = {}
  const whole = scenarios.map((one, at): Scenario => {
    const id = `s${at}`
    return {
      ...{ id, title: id, requirements: ['REQ'], role: 'verifier', since: '3.0' },
      async run({ check }) {
        company[id] = [...running]
        running.add(id)
        await new Promise((resolve) => setImmediate(resolve))
        check('REQ', id).of(1).is(1)
        running.delete(id)
      },
      ...one,
    }
  })
  const trials = planTrials(whole, PLAN)
  await Promise.all(
    startTrials(BENCH, trials, { slots: new Slots(jobs), onFinished: () => undefined }),
  )
  return company
}

test('as many scenarios run at the same time as there are jobs', async () => {
  const company = Object.values(await companyOf([{}, {}, {}], 2))
  expect(company.map(({ length }) => length)).toEqual([0, 1, 1])
})

test('scenarios that run alone follow all others, one at a time, each before its variant', async () => {
  const company = await companyOf([{ alone: true }, {}, { alone: true, variantOf: 's0' }, {}], 4)
  expect(Object.keys(company).slice(0, 2).toSorted()).toEqual(['s1', 's3'])
  expect(Object.keys(company).slice(2)).toEqual(['s0', 's2'])
  expect([company['s0'], company['s2']]).toEqual([[], []])
})
