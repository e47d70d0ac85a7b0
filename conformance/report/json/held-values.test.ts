import { expect, test } from 'vitest'
import type { CheckResult } from '../result.ts'
import { sameReceived, shortenHeld } from './held-values.ts'

const check = (received: string, ok: boolean): CheckResult => ({
  ...{ requirement: 'REQ', what: 'value', expected: received, received, ok, at: 0 },
})

const LONG = '{"name":"value"},'.repeat(500)

test('of a check that held a long value is cut, and its length noted', () => {
  const { expected, received } = shortenHeld(check(LONG, true))
  expect(received).toBe(`${LONG.slice(0, 1000)}… [8,500 characters]`)
  expect(expected).toBe(received)
})

test('a check that did not hold keeps its values whole, and so does a short one', () => {
  expect(shortenHeld(check(LONG, false))).toEqual(check(LONG, false))
  expect(shortenHeld(check('202', true))).toEqual(check('202', true))
})

test('two cut values are the same where only what varies was cut through', () => {
  const value = (id: string) =>
    shortenHeld(check(`${'x, '.repeat(328)}${id}${LONG}`, true)).received
  const [one, other] = [
    value('0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3'),
    value('5b0e7c1f-93a4-4d26-8f7e-b1c2d3e4f506'),
  ]
  expect(one).not.toBe(other)
  expect(sameReceived(one, other)).toBe(true)
})

test('a cut value differs from one that says something else, and from one that is whole', () => {
  const { received } = shortenHeld(check(LONG, true))
  expect(sameReceived(received, received.replace('name', 'other'))).toBe(false)
  expect(sameReceived(received, LONG.slice(0, 500))).toBe(false)
})
