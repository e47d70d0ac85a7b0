import { expect, test } from 'vitest'
import { callOf } from '../../dev/testing/call-of.ts'
import { pcrsOfMask, readEntry, readPartial, withNodeKey } from './quote-query.ts'

test.each([
  ['0', []],
  ['1', [0]],
  ['0x1', [0]],
  ['408000', [15, 22]],
  ['0x00ffFFff', Array.from({ length: 24 }, (_, pcr) => pcr)],
] as const)('mask %s names its PCRs', (mask, pcrs) => {
  expect(pcrsOfMask('mask', mask)).toEqual(pcrs)
})

test.each(['', '0x', 'g', '-1', '100000000', '0x0x1', '1 ', '1.0'])(
  'mask %j is no number of 32 bits',
  (mask) => {
    expect(() => pcrsOfMask('mask', mask)).toThrow('not a number of 32 bits in hexadecimal')
  },
)

test('a mask with a PCR that no TPM of a PC has is refused', () => {
  expect(() => pcrsOfMask('mask', '1000000')).toThrow('PCR 24')
  expect(() => pcrsOfMask('mask', '80000000')).toThrow('PCR 31')
})

test('PCR 16 is quoted whether the mask names it or not', () => {
  expect(withNodeKey([0, 23])).toEqual([0, 16, 23])
  expect(withNodeKey([16])).toEqual([16])
})

test('partial is 0 or 1', () => {
  expect(readPartial(callOf({}, undefined, { partial: '1' }))).toBe(true)
  expect(readPartial(callOf({}, undefined, { partial: '0' }))).toBe(false)
  expect(() => readPartial(callOf({}, undefined, { partial: 'true' }))).toThrow('must be 0 or 1')
  expect(() => readPartial(callOf({}))).toThrow('must be 0 or 1')
})

test('without ima_ml_entry the list begins at its first line', () => {
  expect(readEntry(callOf({}))).toBe(0)
  expect(readEntry(callOf({}, undefined, { ima_ml_entry: '17' }))).toBe(17)
})

test.each(['-1', '1e3', 'x', ''])('ima_ml_entry %j is no line', (ima_ml_entry) => {
  expect(() => readEntry(callOf({}, undefined, { ima_ml_entry }))).toThrow('not a line number')
})

test('a parameter that comes twice is refused', () => {
  expect(() => readEntry(callOf({}, undefined, { ima_ml_entry: ['1', '2'] }))).toThrow(
    'more than once',
  )
})
