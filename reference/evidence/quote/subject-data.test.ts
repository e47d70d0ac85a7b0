import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { parsePcrBlob } from './pcr-blob.ts'
import { parseSubjectData } from './subject-data.ts'

const VALUE = 'aB'.repeat(32)

test('an object of PCR values is read in ascending order of PCRs', () => {
  const [bank] = parseSubjectData({ '10': VALUE, '0': `0x${VALUE}` }, 'sha256')
  expect(bank?.bank).toBe('sha256')
  expect([...(bank?.values.keys() ?? [])]).toEqual([0, 10])
  expect(bank?.values.get(10)).toEqual(new Uint8Array(32).fill(0xab))
})

test('the text form is a PCR blob, whose banks count', () => {
  const blob = recorded('rsassa_multibank.pcrs')
  expect(parseSubjectData(toBase64(blob), 'sha512')).toEqual(parsePcrBlob(blob))
})

test.each(['010', '0x0a', '10 ', '24', '-1', '1e1', '', '__proto__', 'ten', '99'])(
  'the key %j is refused',
  (key) => {
    const object: unknown = JSON.parse(`{${JSON.stringify(key)}: "${VALUE}"}`)
    expect(() => parseSubjectData(object, 'sha256')).toThrow(
      `subject_data[${JSON.stringify(key)}] at byte 0: the key is not a PCR number`,
    )
  },
)

test.each([
  ['of another length', 'ab'.repeat(20), 'expected 32 bytes, got 20'],
  ['with an odd digit', VALUE.slice(1), 'odd number'],
  ['in base64', '/'.repeat(44), 'not a hexadecimal digit'],
  ['that is a number', 7, 'expected hexadecimal text'],
  ['that is missing', null, 'expected hexadecimal text'],
])('a value %s is refused', (_, value, problem) => {
  expect(() => parseSubjectData({ '10': value }, 'sha256')).toThrow(problem)
})

test.each([
  ['a list', [VALUE]],
  ['null', null],
  ['a number', 10],
  ['an empty object', {}],
  ['text that is no base64', 'r?'],
])('%s is refused', (_, value) => {
  expect(() => parseSubjectData(value, 'sha256')).toThrow(/^subject_data/)
})

test('an unknown bank is refused', () => {
  expect(() => parseSubjectData({ '10': VALUE }, 'constructor')).toThrow('bank "constructor"')
})
