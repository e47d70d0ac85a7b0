import { expect, test } from 'vitest'
import { fromHex } from '../../bytes/hex.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { derProblem } from './strict-der.ts'

test.each([
  ['an empty sequence', '3000'],
  ['a set in order', '3106020101020102'],
  ['a length of two bytes', `0481 80${'00'.repeat(128)}`],
  ['true', '0101ff'],
  ['a number', '02020080'],
  ['bits', '03020560'],
  ['no bits', '030100'],
  ['a time', '170d3236303130323033303430355a'],
  ['an identifier with a long arc', '06032a8648'],
  ['an extension', '300c0603551d13040530030101ff'],
])('%s is strict', (_, hex) => {
  expect(derProblem(fromHex(hex.replaceAll(' ', '')))).toBeUndefined()
})

test.each([
  ['a length that is cut short', '3002', 'needs 2 byte'],
  ['no length', '30800000', 'has no length'],
  ['a long length for a short one', '048101 00', 'more bytes than it needs'],
  ['a padded length', `04820080${'00'.repeat(128)}`, 'more bytes than it needs'],
  ['a tag of several bytes', '1f8100', 'tag of several bytes'],
  ['a set out of order', '3106020102020101', 'not in ascending order'],
  ['true that is not 0xff', '010101', 'neither 0x00 nor 0xff'],
  ['a padded number', '02020001', 'more bytes than it needs'],
  ['a padded negative number', '0202ff80', 'more bytes than it needs'],
  ['an empty number', '0200', 'or none'],
  ['unused bits that are set', '03020561', 'unused bits'],
  ['more unused bits than a byte has', '03020800', 'unused bits'],
  ['a null that holds something', '050100', 'a null'],
  ['a padded identifier', '06028001', 'padded'],
  ['an identifier that does not end', '06022a86', 'padded'],
  ['a time without seconds', '170b323630313032303330345a', 'a time'],
  ['a string in parts', '2404040200 00', 'put together'],
  ['critical FALSE', '300a0603551d0f01010004 00', 'critical spells out'],
  ['cA FALSE', '300c0603551d1304053003010100', 'basicConstraints spells out'],
  ['layers without end', nested(40), 'too many layers'],
])('%s is reported', (_, hex, problem) => {
  expect(derProblem(fromHex(hex.replaceAll(' ', '')))).toContain(problem)
})

function nested(depth: number): string {
  return depth === 0 ? '0500' : wrap(nested(depth - 1))
}

function wrap(hex: string): string {
  return `30${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
}

test.each(['ekcert_1c00002.der', 'ekcert_1c00016.der'])(
  '%s of a recorded TPM is strict',
  (file) => {
    expect(derProblem(recorded(file))).toBeUndefined()
  },
)

test('a problem is reported with its offset in the certificate', () => {
  expect(derProblem(fromHex('300705003003010101'))).toBe(
    'DER at byte 6: a boolean is neither 0x00 nor 0xff',
  )
})
