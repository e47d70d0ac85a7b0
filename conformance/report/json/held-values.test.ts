import { expect, test } from 'vitest'
import type { CheckResult } from '../result.ts'
import { sameReceived, shortenHeld } from './held-values.ts'

const check = (received: string, ok: boolean): CheckResult => ({
  ...{ requirement: 'REQ', what: 'value', expected: received, received, ok, at: 0 },
})

const LONG = '{"name":"value"},'.repeat(500)

test('a long value of a check that held is cut, with its length', () => {
  const { expected, received } = shortenHeld(check(LONG, true))
  expect(received).toBe(`${LONG.slice(0, 1000)}… [8,500 characters]`)
  expect(expected).toBe(received)
})

test('a check that did not hold keeps complete values, and short values are kept', () => {
  expect(shortenHeld(check(LONG, false))).toEqual(check(LONG, false))
  expect(shortenHeld(check('202', true))).toEqual(check('202', true))
})

test('two cut values are the same if they differ only in a varying part', () => {
  const value = (id: string) =>
    shortenHeld(check(`${'x, '.repeat(328)}${id}${LONG}`, true)).received
  const [one, other] = [
    value('0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3'),
    value('5b0e7c1f-93a4-4d26-8f7e-b1c2d3e4f506'),
  ]
  expect(one).not.toBe(other)
  expect(sameReceived(one, other)).toBe(true)
})

test('a cut value differs from another text, and from a complete value', () => {
  const { received } = shortenHeld(check(LONG, true))
  expect(sameReceived(received, received.replace('name', 'other'))).toBe(false)
  expect(sameReceived(received, LONG.slice(0, 500))).toBe(false)
})
