import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const KNOWN = ['registrar', 'verifier', 'url', 'start']

test.each([
  ['verfier', 'verifier'],
  ['registar', 'registrar'],
  ['urls', 'url'],
])('the nearest word to %s is %s', (word, meant) => {
  expect(nearest(word, KNOWN)).toBe(meant)
})

test('a word without a similar one has no nearest word', () => {
  expect(nearest('tls', KNOWN)).toBeUndefined()
  expect(nearest('database', KNOWN)).toBeUndefined()
})
