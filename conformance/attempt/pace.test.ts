import { expect, test, vi } from 'vitest'
import { paceOf } from './pace.ts'

/** A pace with a manual clock. */
function paced(requestsPerSecond: number) {
  const clock = { now: 1000 }
  const wait = vi.fn(async () => undefined)
  const waits = () => wait.mock.calls.flat()
  return { pace: paceOf(requestsPerSecond, () => clock.now, wait), clock, waits }
}

test('simultaneous requests are spaced by the gap, and the first does not wait', async () => {
  const { pace, waits } = paced(20)
  await Promise.all([pace(), pace(), pace()])
  expect(waits()).toEqual([50, 100])
})

test('a pause does not allow a later burst', async () => {
  const { pace, clock, waits } = paced(20)
  await pace()
  clock.now += 10_000
  await Promise.all([pace(), pace()])
  expect(waits()).toEqual([50])
})

test('a client slower than the cap never waits', async () => {
  const { pace, clock, waits } = paced(20)
  for (let count = 0; count < 5; count++) {
    await pace()
    clock.now += 50
  }
  expect(waits()).toEqual([])
})

test('0 means no cap', async () => {
  const { pace, waits } = paced(0)
  await Promise.all([pace(), pace(), pace()])
  expect(waits()).toEqual([])
})
