import { expect, test } from 'vitest'
import { shorten } from './shorten.ts'

const LONG = ['a', 'b', 'a', 'c', 'b', 'a', 'd']

test('unnecessary steps are removed', async () => {
  const deviates = async (steps: readonly string[]) => /b.*a.*d/.test(steps.join(''))
  expect(await shorten(LONG, deviates)).toEqual(['b', 'a', 'd'])
})

test('a step that is necessary twice stays twice', async () => {
  const deviates = async (steps: readonly string[]) =>
    steps.filter((one) => one === 'b').length === 2
  expect(await shorten(LONG, deviates)).toEqual(['b', 'b'])
})

test('a sequence without unnecessary steps is unchanged', async () => {
  expect(await shorten(LONG, async () => false)).toEqual(LONG)
})

test('the number of runs is limited', async () => {
  const long = Array.from({ length: 500 }, (_, at) => `step ${at}`)
  let ran = 0
  await shorten(long, async () => ++ran < 0)
  expect(ran).toBe(40)
})
