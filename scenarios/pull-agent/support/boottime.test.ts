import { expect, test } from 'vitest'
import { growthOfBoottime } from './boottime.ts'

const INSTANT = 1_800_000_000

test.each([
  ['seconds that go on', [4, 7], true],
  ['seconds that begin again', [4, 1], false],
  ['seconds that stand still', [4, 4], false],
  ['milliseconds', [4000, 7100], false],
  ['no number', [undefined, 7], false],
  ['an instant that stays', [INSTANT, INSTANT], true],
  ['an instant in seconds that are cut', [INSTANT, INSTANT + 1], true],
  ['an instant that moves', [INSTANT, INSTANT + 3], false],
])('%s', (_, boottimes, isGrowth) => {
  const [, holds] = growthOfBoottime(3050, 3400)
  expect(holds(boottimes)).toBe(isGrowth)
})
