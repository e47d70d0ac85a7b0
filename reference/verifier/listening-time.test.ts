import { expect, test } from 'vitest'
import { NOON, settableClock } from '../dev/testing/settable-clock.ts'
import { openStore } from '../dev/testing/storage/open-store.ts'
import type { VerifierStore } from '../storage/verifier-store.ts'
import { listeningTime } from './listening-time.ts'

/** A verifier that starts on the database at `start` of its clock. */
async function started({ listening }: VerifierStore, start = NOON) {
  const clock = settableClock(start)
  return { clock, listening, time: await listeningTime(listening, clock) }
}

const newStore = () => openStore(':memory:')

test('it begins with the date, and passes as long as the verifier is awake', async () => {
  const { clock, time } = await started(await newStore())
  expect(time.now()).toBe(NOON)
  clock.pass(5)
  clock.set(3600)
  clock.sleep(60)
  clock.pass(5)
  expect(time.now()).toBe(NOON + 10_000)
})

test('after an absence it goes on where it was stored last', async () => {
  const store = await newStore()
  const before = await started(store)
  before.clock.pass(5)
  await before.time.save()
  const after = await started(store, NOON + 86_400_000)
  expect(after.time.now()).toBe(NOON + 5000)
})

test('verifiers of one database have one time, that of the first', async () => {
  const store = await newStore()
  const first = await started(store)
  first.clock.pass(60)
  const second = await started(store, NOON - 86_400_000)
  await first.time.save()
  await second.time.save()
  expect(second.time.now()).toBe(NOON + 60_000)
  second.clock.pass(1)
  await second.time.save()
  await first.time.save()
  expect(first.time.now()).toBe(NOON + 61_000)
})

test('time that could not be stored does not count', async () => {
  const { clock, listening, time } = await started(await newStore())
  const { advance } = listening
  Object.assign(listening, { advance: () => Promise.reject(new Error('disk full')) })
  for (let count = 0; count < 3; count++) {
    clock.pass(1)
    await expect(time.save()).rejects.toThrow('disk full')
  }
  Object.assign(listening, { advance })
  clock.pass(1)
  await time.save()
  expect(time.now()).toBe(NOON + 1000)
})
