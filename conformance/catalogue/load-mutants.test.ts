import { expect, test } from 'vitest'
import { fitsPattern } from './load-mutants.ts'

test.each([
  ['a b c', 'a b c'],
  ['a *', 'a b c'],
  ['a *', 'a '],
  ['* c', 'a b c'],
  ['a * c', 'a b b c'],
  ['*b*', 'a b c'],
  ['a * b * d', 'a b b c d'],
])('%o matches %o', (pattern, cell) => {
  expect(fitsPattern(pattern, cell)).toBe(true)
})

test.each([
  ['a b', 'a b c'],
  ['a *', 'b a c'],
  ['* c', 'a c d'],
  ['a * c', 'a c'],
  ['a * b * d', 'a b d'],
  ['a.*', 'a b'],
])('%o does not match %o', (pattern, cell) => {
  expect(fitsPattern(pattern, cell)).toBe(false)
})
