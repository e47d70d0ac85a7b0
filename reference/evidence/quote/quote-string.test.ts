import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { concat } from '../../bytes/writer.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { INFLATED_LIMIT, INFLATED_RATIO } from '../inflate.ts'
import { parseQuoteString, writeQuoteString } from './quote-string.ts'

const PARTS = {
  message: recorded('rsassa_sha256_10.attest'),
  signature: recorded('rsassa_sha256_10.sig'),
  pcrBlob: recorded('rsassa_sha256_10.pcrs'),
}
const TEXT = writeQuoteString(PARTS)

test('a quote string is split into its parts', () => {
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

/** The quote string of API 1.0, whose last part is this zlib stream. */
function packed(last: Uint8Array = deflateSync(PARTS.pcrBlob)): string {
  const streams = [deflateSync(PARTS.message), deflateSync(PARTS.signature), last]
  return `r${streams.map(toBase64).join(':')}`
}

test('a quote string is inflated if the caller says that it is of API 1.0', () => {
  expect(parseQuoteString(packed(), 'zlib')).toEqual(PARTS)
  expect(() => parseQuoteString(TEXT, 'zlib')).toThrow('quote.message at byte 0: is no zlib stream')
})

test('otherwise nothing is inflated: the stream is used as it is', () => {
  expect(parseQuoteString(packed()).message).toEqual(new Uint8Array(deflateSync(PARTS.message)))
})

test('a stream of as many bytes as are allowed is read, and of one more is refused at that byte', () => {
  const random = new Uint8Array(INFLATED_LIMIT + 1).map((_, index) => (index * 7919) >> 5)
  const most = random.subarray(0, INFLATED_LIMIT)
  expect(parseQuoteString(packed(deflateSync(most)), 'zlib').pcrBlob).toEqual(most)
  expect(() => parseQuoteString(packed(deflateSync(random)), 'zlib')).toThrow(
    `quote.pcrs.inflated at byte ${INFLATED_LIMIT}: more than ${INFLATED_LIMIT} bytes`,
  )
})

test('a stream is inflated to so many times its length and no more', () => {
  const stream = deflateSync(new Uint8Array(20_000))
  const limit = stream.length * INFLATED_RATIO
  expect(limit).toBeLessThan(20_000)
  expect(() => parseQuoteString(packed(stream), 'zlib')).toThrow(
    `quote.pcrs.inflated at byte ${limit}: more than ${limit} bytes`,
  )
})

test('a bomb of 64 MiB costs no more than the inflation limit', () => {
  const text = packed(deflateSync(new Uint8Array(64 << 20)))
  const before = process.memoryUsage().arrayBuffers
  expect(() => parseQuoteString(text, 'zlib')).toThrow('more than 32768 bytes')
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20)
})

test.each([
  ['that is cut short', deflateSync(PARTS.pcrBlob).subarray(0, 30), 'quote.pcrs at byte 0: is no'],
  ['with a byte behind it', concat(deflateSync(PARTS.pcrBlob), Uint8Array.of(0)), '1 byte(s) left'],
  [
    'with another checksum',
    concat(deflateSync(PARTS.pcrBlob).subarray(0, -1), Uint8Array.of(1)),
    'is no zlib stream',
  ],
])('a stream %s is refused', (_, stream, problem) => {
  expect(() => parseQuoteString(packed(stream), 'zlib')).toThrow(problem)
})
