import { expect, test } from 'vitest'
import { DER, DerReader, derChildren, derElementAt } from './der.ts'
import { fromHex } from './hex.ts'

const whole = (hex: string) => fromHex(hex.replaceAll(' ', ''))

function readerOf(hex: string): DerReader {
  const bytes = whole(hex)
  return new DerReader(bytes, derElementAt(bytes, 0, bytes.length, 'X'), 'X')
}

test('an element is where it begins, where its contents do, and where it ends', () => {
  const bytes = whole('3003 020105 0500')
  expect(derElementAt(bytes, 0, bytes.length, 'X')).toEqual({ tag: 0x30, at: 0, inside: 2, end: 5 })
  expect(derChildren(bytes, { inside: 0, end: 7 }, 'X').map(({ tag }) => tag)).toEqual([0x30, 5])
})

test.each([
  ['cut short', '3002 05', 'X at byte 2: needs 2 byte(s), 1 left'],
  ['without a length', '30', 'X at byte 1: has no length'],
  ['of indefinite length', '3080 0000', 'X at byte 1: has no length, or one of too many bytes'],
  ['with a length that is cut', '3082 01', 'X at byte 1: has no length, or one of too many bytes'],
  ['with a long form for a short length', '308101 00', 'X at byte 1: has a length with more bytes'],
  ['with a tag of several bytes', '1f8100', 'X at byte 0: has a tag of several bytes'],
])('an element %s is refused where it is', (_, hex, problem) => {
  const bytes = whole(hex)
  expect(() => derElementAt(bytes, 0, bytes.length, 'X')).toThrow(problem)
})

test('an element may not reach over the end of the one around it', () => {
  const bytes = whole('3003 0205 0102030405')
  const outer = derElementAt(bytes, 0, bytes.length, 'X')
  expect(() => derChildren(bytes, outer, 'X')).toThrow('X at byte 4: needs 5 byte(s), 1 left')
})

test('an error names the field, the byte offset, and the element found', () => {
  const reader = readerOf('3004 0500 0500')
  reader.next('a', DER.NULL)
  expect(() => reader.next('b', DER.INTEGER)).toThrow('X.b at byte 4: is a NULL, and no INTEGER')
})

test('an absent optional element is skipped', () => {
  const reader = readerOf('3003 020105')
  expect(reader.maybe('a', DER.NULL)).toBeUndefined()
  expect(reader.maybe('b', DER.INTEGER)).toMatchObject({ at: 2 })
  expect(reader.maybe('c', DER.NULL)).toBeUndefined()
})

test('unexpected elements are refused, and the twin without them is not', () => {
  expect(() => readerOf('3002 0500').finish()).toThrow('X at byte 2: 2 byte(s) left over')
  expect(readerOf('3000').finish()).toBeUndefined()
})
