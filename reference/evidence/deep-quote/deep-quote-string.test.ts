import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { parseDeepQuoteString, writeDeepQuoteString } from './deep-quote-string.ts'

const GUEST = {
  message: recorded('rsassa_sha256_10.attest'),
  signature: recorded('rsassa_sha256_10.sig'),
  pcrBlob: recorded('rsassa_sha256_10.pcrs'),
}
const HOST = { ...GUEST, message: new Uint8Array(GUEST.message).fill(1) }
const TEXT = writeDeepQuoteString({ guest: GUEST, host: HOST })

test('a deep quote is split into the parts of both quotes', () => {
  expect(parseDeepQuoteString(TEXT)).toEqual({ guest: GUEST, host: HOST })
})

test.each([
  ['of an ordinary quote', `r${TEXT.slice(1)}`, "quote at byte 0: expected the letter 'd'"],
  ['with a capital letter', `D${TEXT.slice(1)}`, "expected the letter 'd'"],
  ['of five parts', TEXT.slice(0, TEXT.lastIndexOf(':')), 'expected 6 parts between colons, got 5'],
  ['of seven parts', `${TEXT}:AA==`, 'expected 6 parts between colons, got more'],
  ['with a colon at its end', `${TEXT}:`, 'got more'],
  ['that is cut', TEXT.slice(0, -1), 'host.pcrs at byte'],
  ['of nothing but colons', 'd:::::', 'guest.message at byte 0: is empty'],
  ['that is empty', '', "expected the letter 'd'"],
])('a deep quote %s is refused', (_, text, problem) => {
  expect(() => parseDeepQuoteString(text)).toThrow(problem)
})

test('the parts are inflated if the caller says that they are of API 1.0, and not otherwise', () => {
  const packed = (parts: typeof GUEST) => ({
    message: new Uint8Array(deflateSync(parts.message)),
    signature: new Uint8Array(deflateSync(parts.signature)),
    pcrBlob: new Uint8Array(deflateSync(parts.pcrBlob)),
  })
  const streams = { guest: packed(GUEST), host: packed(HOST) }
  const text = writeDeepQuoteString(streams)
  expect(parseDeepQuoteString(text, 'zlib')).toEqual({ guest: GUEST, host: HOST })
  expect(parseDeepQuoteString(text)).toEqual(streams)
  expect(() => parseDeepQuoteString(TEXT, 'zlib')).toThrow(
    'guest.message at byte 0: is no zlib stream',
  )
})
