import { expect, test } from 'vitest'
import { deferred } from './deferred.ts'
import { type Slot, Slots } from './slots.ts'

/** Two slots that two attempts hold until `release`, and what a third attempt did that waits in the meantime. */
async function busySlots(waits: (slot: Slot, over: Promise<void>) => Promise<void>) {
  const slots = new Slots(2)
  const [over, release] = [deferred<void>(), deferred<void>()]
  const done: string[] = []
  const waiting = slots.run(async (slot) => {
    done.push('waits')
    await waits(slot, over.promise)
    done.push('goes on')
  })
  const holding = [1, 2].map(() => slots.run(() => release.promise))
  await new Promise(setImmediate)
  over.resolve()
  await new Promise(setImmediate)
  const before = [...done]
  const next = slots.run(async () => void done.push('begins'))
  await new Promise(setImmediate)
  const meanwhile = [...done]
  release.resolve()
  await Promise.all([waiting, ...holding, next])
  return { before, meanwhile, done }
}

test('an attempt whose time is over goes on, although all slots are taken; another does not begin', async () => {
  const { before, meanwhile, done } = await busySlots((slot, over) => slot.pause(() => over))
  expect(before).toEqual(['waits', 'goes on'])
  expect(meanwhile).toEqual(before)
  expect(done).toEqual(['waits', 'goes on', 'begins'])
})

test('an attempt that waited for the subject goes on when a slot is free', async () => {
  const { before, meanwhile, done } = await busySlots((slot, over) => slot.rest(() => over))
  expect(before).toEqual(['waits'])
  expect(meanwhile).toEqual(before)
  expect(new Set(done)).toEqual(new Set(['waits', 'goes on', 'begins']))
})

test('of the attempts that wait, the most urgent begins first, and of two alike the first', async () => {
  const slots = new Slots(1)
  const begun: string[] = []
  const urgencies = { held: 9, short: 0, long: 5, longest: 7, 'as long': 5 }
  await Promise.all(
    Object.entries(urgencies).map(([name, urgency]) =>
      slots.run(async () => void begun.push(name), { urgency }),
    ),
  )
  expect(begun).toEqual(['held', 'longest', 'long', 'as long', 'short'])
})

test('attempts with more polled agents than a verifier polls in time do not run at once; others do', async () => {
  const slots = new Slots(8)
  const underWay = new Set<string>()
  const seen: string[] = []
  const polled = { many: 30, more: 50, few: 10, 'a few': 5, none: 0 }
  await Promise.all(
    Object.entries(polled).map(([name, agents]) =>
      slots.run(
        async () => {
          underWay.add(name)
          await new Promise(setImmediate)
          seen.push([...underWay].join(', '))
          await new Promise(setImmediate)
          underWay.delete(name)
        },
        { polled: agents },
      ),
    ),
  )
  expect(seen.slice(0, 3)).toEqual(Array(3).fill('many, few, none'))
  expect(seen.filter((each) => each.includes('more'))).toEqual(['more'])
})
