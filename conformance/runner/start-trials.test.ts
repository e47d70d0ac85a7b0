import { expect, test } from 'vitest'
import { Slots } from '../attempt/slots.ts'
import type { Scenario } from '../scenario.ts'
import { ENVIRONMENT } from '../selftest/outcomes/five-outcomes.ts'
import { planTrials } from './plan.ts'
import { startTrials } from './start-trials.ts'

const PLAN = { roles: ['verifier'], versions: ['3.0'], capabilities: [], only: [] }

/** Runs scenarios; returns for each the ids of those that were running at its start. */
async function concurrentOf(scenarios: readonly Partial<Scenario>[], jobs: number) {
  const running = new Set<string>()
  const concurrent: Record<string, readonly string[]> = {}
  const whole = scenarios.map((one, at): Scenario => {
    const id = `s${at}`
    return {
      ...{ id, title: id, requirements: ['REQ'], role: 'verifier', since: '3.0' },
      async run({ check }) {
        concurrent[id] = [...running]
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
    startTrials(ENVIRONMENT, trials, { slots: new Slots(jobs), onFinished: () => undefined }),
  )
  return concurrent
}

test('as many scenarios run at the same time as there are jobs', async () => {
  const concurrent = Object.values(await concurrentOf([{}, {}, {}], 2))
  expect(concurrent.map(({ length }) => length)).toEqual([0, 1, 1])
})

test('scenarios that run alone follow all others, one at a time, each before its variant', async () => {
  const concurrent = await concurrentOf(
    [{ alone: true }, {}, { alone: true, variantOf: 's0' }, {}],
    4,
  )
  expect(Object.keys(concurrent).slice(0, 2).toSorted()).toEqual(['s1', 's3'])
  expect(Object.keys(concurrent).slice(2)).toEqual(['s0', 's2'])
  expect([concurrent['s0'], concurrent['s2']]).toEqual([[], []])
})

test('a scenario that runs alone at its end begins with the others, and goes on when they have ended; until it waits, none runs alone', async () => {
  const order: string[] = []
  const says = (what: string) => async () => {
    order.push(what)
  }
  const atItsEnd = (id: string): Partial<Scenario> => ({
    alone: 'at its end',
    seconds: 9,
    async run({ waitForOthers, check }) {
      order.push(`${id} begins`)
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
      order.push(`${id} waits`)
      await waitForOthers()
      await waitForOthers()
      order.push(`${id} disturbs`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${id} ends`)
      check('REQ', id).of(1).is(1)
    },
  })
  const [other, alone] = [
    { run: says('another') },
    { run: says('one alone'), alone: true } as const,
  ]
  await concurrentOf([atItsEnd('s0'), other, alone, atItsEnd('s3')], 1)
  const begun = ['another', 's0 begins', 's0 waits', 's3 begins', 's3 waits']
  expect(order.slice(0, 5).toSorted()).toEqual(begun)
  const turns = order.slice(5).join(', ')
  for (const id of ['s0', 's3']) expect(turns).toContain(`${id} disturbs, ${id} ends`)
  expect(order).toHaveLength(10)
})

test('the twin of a long scenario begins first, and the long one before the short ones', async () => {
  const short = Array.from({ length: 6 }, () => ({}))
  const concurrent = await concurrentOf([...short, { variantOf: 's7', seconds: 5 }, {}], 1)
  const begun = Object.keys(concurrent)
  expect(begun[0]).toBe('s7')
  expect(begun.indexOf('s6')).toBeLessThan(3)
})
