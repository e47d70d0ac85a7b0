import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const KNOWN = ['registrar', 'verifier', 'url', 'start']

test.each([
  ['verfier', 'verifier'],
  ['registar', 'registrar'],
  ['urls', 'url'],
])('%s is taken for %s', (word, meant) => {
  expect(nearest(word, KNOWN)).toBe(meant)
})

test('a word that resembles none is taken for none', () => {
  expect(nearest('tls', KNOWN)).toBeUndefined()
  expect(nearest('database', KNOWN)).toBeUndefined()
})
