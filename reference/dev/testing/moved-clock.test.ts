import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { movedClock } from './moved-clock.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const base = { now: () => 1000, awake: () => 0 }

test('without a file the clock is the one below it', () => {
  expect(movedClock(join(temporaryDirectory(), 'clock'), base).now()).toBe(1000)
})

test('each line moves it ahead by its seconds', () => {
  const file = join(temporaryDirectory(), 'clock')
  const clock = movedClock(file, base)
  appendFileSync(file, '60\n')
  expect(clock.now()).toBe(61_000)
  appendFileSync(file, '5\n')
  expect(clock.now()).toBe(66_000)
  expect(clock.awake()).toBe(65_000)
})

test('a line that is no number is named', () => {
  const file = join(temporaryDirectory(), 'clock')
  appendFileSync(file, '60\nsoon\n')
  expect(() => movedClock(file, base).now()).toThrow(/line 2: not a number of seconds/)
})
