import { expect, test } from 'vitest'
import { recorded } from '../tpm/testing/recorded-boot.ts'
import { parseQuoteString, writeQuoteString } from './quote-string.ts'

const PARTS = {
  message: recorded('rsassa_sha256_10.attest'),
  signature: recorded('rsassa_sha256_10.sig'),
  pcrBlob: recorded('rsassa_sha256_10.pcrs'),
}
const TEXT = writeQuoteString(PARTS)

test('a quote string is split into the bytes it was made of', () => {
  expect(parseQuoteString(TEXT)).toEqual(PARTS)
})

test.each([
  ['without its letter', TEXT.slice(1), "quote at byte 0: expected the letter 'r'"],
  ['with a capital letter', `R${TEXT.slice(1)}`, "expected the letter 'r'"],
  ['with the letter twice', `r${TEXT}`, 'quote.message at byte'],
  ['of two parts', TEXT.slice(0, TEXT.lastIndexOf(':')), 'expected 3 parts between colons, got 2'],
  ['of four parts', `${TEXT}:AA==`, 'expected 3 parts between colons, got more'],
  ['with a colon at its end', `${TEXT}:`, 'got more'],
  ['of nothing but colons', 'r::', 'quote.message at byte 0: is empty'],
  ['with a blank', TEXT.replace(':', ' :'), 'standard base64 alphabet'],
  ['without padding', TEXT.replace(/=+:/, ':'), 'quote.message at byte'],
  ['that is empty', '', "expected the letter 'r'"],
])('a quote string %s is refused', (_, text, problem) => {
  expect(() => parseQuoteString(text)).toThrow(problem)
})
