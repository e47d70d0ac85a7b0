import { expect, test } from 'vitest'
import { recordable } from './transcript.ts'

test('a body is kept whole up to the length of any message', () => {
  const long = 'x'.repeat(256 * 1024)
  expect(recordable(long)).toBe(long)
})

test('of a flood its beginning and its length are kept', () => {
  expect(recordable('x'.repeat(256 * 1024 + 1))).toBe(`${'x'.repeat(1024)}… (262145 characters)`)
})
