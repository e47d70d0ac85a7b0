import { expect, test } from 'vitest'
import { concat } from '../bytes/writer.ts'
import { TPMS_ATTEST } from './attest.ts'
import { attempt, type Codec, decode, encode, list, tagged, tpm2b, u8, u16, u32 } from './codec.ts'
import { TPM2B_PUBLIC } from './public.ts'
import { TPMT_SIGNATURE } from './signature.ts'
import { recorded, recordedFiles } from './testing/recorded-boot.ts'

const SUFFIXES: readonly (readonly [string, Codec<unknown>])[] = [
  ['.attest', TPMS_ATTEST],
  ['.sig', TPMT_SIGNATURE],
  ['.tpm2b_public', TPM2B_PUBLIC],
]
const RECORDED = SUFFIXES.flatMap(([suffix, codec]) =>
  recordedFiles(suffix).map((file) => [file, codec] as const),
)

test.each(RECORDED)('%s is read and written again byte for byte', (file, codec) => {
  const bytes = recorded(file)
  expect(encode(codec, decode(codec, bytes))).toEqual(bytes)
})

test.each(RECORDED)('%s is refused when cut at any byte', (file, codec) => {
  const bytes = recorded(file)
  for (let length = 0; length < bytes.length; length++) {
    const { value, problem } = attempt(codec, bytes.subarray(0, length))
    expect(value).toBeUndefined()
    expect(problem?.path.startsWith(codec.name)).toBe(true)
    expect(problem?.offset).toBeLessThanOrEqual(length)
  }
})

test.each(RECORDED)('%s is refused with one byte more', (file, codec) => {
  const bytes = recorded(file)
  const { problem } = attempt(codec, concat(bytes, Uint8Array.of(0)))
  expect(problem?.message).toBe(`${codec.name} at byte ${bytes.length}: 1 byte(s) left over`)
})

test('the path of a truncation names the field that is cut', () => {
  const quote = recorded('rsassa_multibank.attest')
  const cut = (length: number) => attempt(TPMS_ATTEST, quote.subarray(0, length)).problem?.message
  expect(cut(3)).toBe('TPMS_ATTEST.magic at byte 0: needs 4 byte(s), 3 left')
  expect(cut(60)).toBe('TPMS_ATTEST.extraData at byte 44: needs 20 byte(s), 16 left')
  expect(cut(103)).toBe(
    'TPMS_ATTEST.attested.pcrSelect[1].pcrSelect at byte 102: needs 3 byte(s), 1 left',
  )
})

test('a value comes along with the problem when only bytes are left over', () => {
  const { value, problem } = attempt(u8, Uint8Array.of(7, 0))
  expect(value).toBe(7)
  expect(problem?.offset).toBe(1)
})

test('a list longer than its maximum is refused before its elements are read', () => {
  const codec = list('TPML', u32, u8, 2)
  expect(decode(codec, Uint8Array.of(0, 0, 0, 2, 8, 9))).toEqual([8, 9])
  expect(() => decode(codec, Uint8Array.of(0xff, 0xff, 0xff, 0xff))).toThrow(
    'TPML at byte 0: 4294967295 elements, at most 2 allowed',
  )
})

test('a sized buffer longer than its maximum is refused', () => {
  const codec = tpm2b('TPM2B', 1)
  expect(decode(codec, Uint8Array.of(0, 1, 5))).toEqual(Uint8Array.of(5))
  expect(() => decode(codec, Uint8Array.of(0, 2, 5, 5))).toThrow('2 bytes, at most 1 allowed')
})

test('a selector without an arm is refused by its number', () => {
  const codec = tagged('TPMU', u16, { one: [1, u8] })
  expect(decode(codec, Uint8Array.of(0, 1, 9))).toEqual({ kind: 'one', value: 9 })
  expect(() => decode(codec, Uint8Array.of(0, 2, 9))).toThrow('TPMU at byte 0: selector 0x0002')
})

test('safe must be 0 or 1', () => {
  const quote = recorded('rsassa_sha256_10.attest')
  quote[0x50] = 2
  expect(() => decode(TPMS_ATTEST, quote)).toThrow(
    'TPMS_ATTEST.clockInfo.safe at byte 80: expected 0 or 1, got 2',
  )
})

test.each([
  ['an unknown attestation type', 5, 0x7f, 'TPMS_ATTEST.attested'],
  ['a selection of 0 bytes', 0x5e + 1, 0, 'pcrSelect[0].pcrSelect at byte 95'],
  ['17 selections', 0x5c, 17, 'TPMS_ATTEST.attested.pcrSelect at byte 89: 17 elements'],
])('%s is refused', (_, at, value, problem) => {
  const quote = recorded('rsassa_sha256_10.attest')
  quote[at] = value
  expect(() => decode(TPMS_ATTEST, quote)).toThrow(problem)
})

test('an HMAC is refused by name', () => {
  const hmac = Uint8Array.of(0, 5, 0, 0x0b, ...new Uint8Array(32))
  expect(() => decode(TPMT_SIGNATURE, hmac)).toThrow('an HMAC cannot be verified')
})
