import { expect, test } from 'vitest'
import { concat } from '../../bytes/writer.ts'
import { recorded, recordedFiles } from '../../tpm/testing/recorded-boot.ts'
import { parsePcrBlob, writePcrBlob } from './pcr-blob.ts'

const FILES = recordedFiles('.pcrs')

test.each(FILES)('%s is read and written again byte for byte', (file) => {
  expect(writePcrBlob(parsePcrBlob(recorded(file)))).toEqual(recorded(file))
})

test.each(FILES)('%s is refused when cut at any byte', (file) => {
  const bytes = recorded(file)
  for (let length = 0; length < bytes.length; length++)
    expect(() => parsePcrBlob(bytes.subarray(0, length))).toThrow(/^PCR_BLOB/)
})

test('a byte more is refused', () => {
  const bytes = concat(recorded('rsassa_sha256_10.pcrs'), Uint8Array.of(0))
  expect(() => parsePcrBlob(bytes)).toThrow(
    'PCR_BLOB.digests at byte 132: 1 lists of 532 bytes announced, 533 bytes left',
  )
})

function patched(at: number, ...values: number[]): Uint8Array {
  const bytes = recorded('rsassa_sha256_10.pcrs')
  bytes.set(values, at)
  return bytes
}

test.each([
  ['no bank', patched(0, 0), '.pcrSelect at byte 0: 0 banks'],
  ['17 banks', patched(0, 17), '.pcrSelect at byte 0: 17 banks'],
  ['counts in big endian', patched(0, 0, 0, 0, 1), '.pcrSelect at byte 0: 16777216 banks'],
  ['an unknown bank', patched(4, 0xff, 0x7f), '.pcrSelect[0] at byte 4: bank 0x7fff is not known'],
  ['a selection of 4 bytes', patched(6, 4), '.pcrSelect[0] at byte 6: sizeofSelect is 4'],
  ['an unused bank in use', patched(14, 3), '.pcrSelect.unused at byte 14: expected padding'],
  ['a bitmap of four bytes', patched(10, 1), '.pcrSelect[0].padding at byte 10: expected padding'],
  ['a bank that is padded', patched(11, 1), '.pcrSelect[0].padding at byte 11: expected padding'],
  [
    'bytes behind a digest',
    patched(205, 1),
    '.digests[0][0].padding at byte 205: expected padding',
  ],
  ['an unused digest in use', patched(206, 1), '.digests[0].unused at byte 206: expected padding'],
  ['one PCR more than digests', patched(8, 5), ': 1 digests for 2 selected PCRs'],
  [
    'another PCR count than digests',
    patched(136, 9),
    '.digests[0] at byte 136: 9 digests in a list',
  ],
  ['a digest of 65 bytes', patched(140, 65), '.digests[0][0] at byte 140: 65 bytes'],
  ['a digest of another bank', patched(140, 40), ': PCR 10 of sha256 has 40 bytes, expected 32'],
  ['16 million lists', patched(132, 0, 0, 0, 1), '.digests at byte 132: 16777216 lists'],
])('%s is refused', (_, bytes, problem) => {
  expect(() => parsePcrBlob(bytes)).toThrow(problem)
})

test.each([1, 7, 8, 9, 16, 17, 24])('%i PCRs are read back in order', (count) => {
  const values = new Map(
    Array.from({ length: count }, (_, pcr) => [pcr, new Uint8Array(20).fill(pcr)]),
  )
  const bytes = writePcrBlob([{ bank: 'sha1', values }])
  expect(bytes.length).toBe(136 + 532 * Math.ceil(count / 8))
  expect([...(parsePcrBlob(bytes)[0]?.values.keys() ?? [])]).toEqual([...values.keys()])
})
