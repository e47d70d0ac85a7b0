import { expect, test } from 'vitest'
import { ApiError } from '../../errors.ts'
import { challengeChecks, checkText, nonceChecks } from './nonce-checks.ts'

/** Nonces and whether an agent accepts them (ambiguity NONCELEN). */
const NONCES: readonly (readonly [what: string, nonce: string, taken: boolean])[] = [
  ['no character', '', false],
  ['one character', 'a', true],
  ['19 characters', 'a'.repeat(19), true],
  ['20 characters, as verifiers send', 'Ab3dEfGh1jKlMnOpQrSt', true],
  ['21 characters', 'a'.repeat(21), true],
  ['64 characters', 'a'.repeat(64), true],
  ['65 characters', 'a'.repeat(65), false],
  ['20 letters that are not ASCII', 'é'.repeat(20), false],
  ['20 Chinese letters', '漢'.repeat(20), false],
  ['digits of another script', '٣'.repeat(20), false],
  ['a blank', 'Ab3dEfGh1j lMnOpQrSt', false],
  ['a newline at the end', 'Ab3dEfGh1jKlMnOpQrS\n', false],
  ['a colon', 'Ab3dEfGh1j:lMnOpQrSt', false],
  ['the sign of a percent', '%00', false],
]

test.each(NONCES)('a nonce of %s', (_, nonce, taken) => {
  const check = () => checkText('nonce', nonce, nonceChecks)
  if (taken) expect(check()).toBe(nonce)
  else expect(check).toThrow(ApiError)
})

test('a refused value is not repeated', () => {
  expect(() => checkText('nonce', '<script>', nonceChecks)).toThrow(
    'query parameter nonce takes letters and digits of ASCII only',
  )
})

test('a challenge may be longer than any nonce', () => {
  expect(checkText('challenge', 'a'.repeat(65), challengeChecks)).toHaveLength(65)
})
