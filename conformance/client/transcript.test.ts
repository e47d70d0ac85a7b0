import { expect, test } from 'vitest'
import { recordable } from './transcript.ts'

test('a body within the limit is kept', () => {
  const long = 'x'.repeat(256 * 1024)
  expect(recordable(long)).toBe(long)
})

test('a longer body is shortened to its beginning and its length', () => {
  expect(recordable('x'.repeat(256 * 1024 + 1))).toBe(`${'x'.repeat(1024)}… (262145 characters)`)
})
