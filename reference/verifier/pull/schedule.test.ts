import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settableClock } from '../../dev/testing/settable-clock.ts'
import { type Alarm, schedule, systemAlarm } from './schedule.ts'

/** A schedule whose one alarm goes off as the clock passes. */
function made() {
  const clock = settableClock(0)
  const rung: string[] = []
  let set: { readonly at: number; readonly ring: () => void } | undefined
  let alarms = 0
  const alarm: Alarm = (milliseconds, ring) => {
    alarms += 1
    const mine = { at: clock.awake() + milliseconds, ring }
    set = mine
    return () => {
      if (set === mine) set = undefined
    }
  }
  const times = schedule(clock, (key) => rung.push(key), alarm)
  const pass = (seconds: number): void => {
    clock.pass(seconds)
    for (let due = set; due !== undefined && due.at <= clock.awake(); due = set) {
      set = undefined
      due.ring()
    }
  }
  return { ...times, clock, rung, pass, alarmsSet: () => alarms, isSet: () => set !== undefined }
}

test('each is rung once, when it is due, and the earlier before the later', () => {
  const { at, pass, rung } = made()
  for (const [key, due] of [
    ['c', 3000],
    ['a', 1000],
    ['b', 2000],
  ] as const)
    at(key, due)
  pass(2)
  expect(rung).toEqual(['a', 'b'])
  pass(10)
  expect(rung).toEqual(['a', 'b', 'c'])
})

test('an entry that was set again is due at its last time only, and a removed one is not due', () => {
  const { at, cancel, pass, rung } = made()
  at('a', 1000)
  at('a', 5000)
  at('b', 1000)
  cancel('b')
  pass(2)
  expect(rung).toEqual([])
  pass(3)
  expect(rung).toEqual(['a'])
})

test('ten thousand have one alarm between them', () => {
  const { at, alarmsSet, pass, rung } = made()
  for (let count = 0; count < 10_000; count++) at(String(count), 1000 + count)
  expect(alarmsSet()).toBe(1)
  pass(11)
  expect(rung).toHaveLength(10_000)
})

test('one that is due in years is waited for in pieces that a timer takes', () => {
  const { at, pass, rung } = made()
  at('a', 10_000_000_000)
  pass(9_000_000)
  expect(rung).toEqual([])
  pass(1_000_001)
  expect(rung).toEqual(['a'])
})

test('a closed schedule fires no alarm and keeps no timer', () => {
  const { at, close, pass, rung, isSet } = made()
  at('a', 1000)
  close()
  pass(2)
  expect([rung, isSet()]).toEqual([[], false])
})

const word = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  due: fc.nat(9),
  isBack: fc.boolean(),
  wait: fc.nat(3),
})

test('after any sequence of set and remove the schedule agrees with a plain list', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const { at, cancel, pass, rung } = made()
      const plain = new Map<string, number>()
      let now = 0
      for (const { key, due, isBack, wait } of words) {
        if (isBack) cancel(key)
        else at(key, due * 1000)
        if (isBack) plain.delete(key)
        else plain.set(key, due)
        now += wait + 1
        pass(wait + 1)
        const over = [...plain].filter(([, moment]) => moment <= now).map(([name]) => name)
        for (const name of over) plain.delete(name)
        expect(new Set(rung.splice(0))).toEqual(new Set(over))
      }
    }),
  )
})

test('the timer of the machine rings, unless it is taken back', async () => {
  const rung: string[] = []
  const back = systemAlarm(1, () => rung.push('no'))
  back()
  const hold = setInterval(() => undefined, 1000)
  await new Promise<void>((resolve) => void systemAlarm(2, resolve))
  clearInterval(hold)
  expect(rung).toEqual([])
})

test('a clock that is set back an hour delays nothing', () => {
  const { at, clock, pass, rung } = made()
  at('a', 1000)
  clock.set(-3600)
  pass(1)
  expect(rung).toEqual(['a'])
})
