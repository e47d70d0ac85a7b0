import { expect, test } from 'vitest'
import { shorten } from './shorten.ts'

const LONG = ['a', 'b', 'a', 'c', 'b', 'a', 'd']

test('what a story does not need is left out', async () => {
  const breaks = async (steps: readonly string[]) => /b.*a.*d/.test(steps.join(''))
  expect(await shorten(LONG, breaks)).toEqual(['b', 'a', 'd'])
})

test('a step that is needed twice stays twice', async () => {
  const breaks = async (steps: readonly string[]) => steps.filter((one) => one === 'b').length === 2
  expect(await shorten(LONG, breaks)).toEqual(['b', 'b'])
})

test('a story that breaks only as it is stays as it is', async () => {
  expect(await shorten(LONG, async () => false)).toEqual(LONG)
})

test('no story is told for ever', async () => {
  const long = Array.from({ length: 500 }, (_, at) => `step ${at}`)
  let ran = 0
  await shorten(long, async () => ++ran < 0)
  expect(ran).toBe(40)
})
