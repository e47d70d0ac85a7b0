import { expect, test } from 'vitest'
import { Reader } from './reader.ts'

const BYTES = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)

test('numbers are read in the order the reader was made for', () => {
  expect(new Reader(BYTES, 'X').u32()).toBe(0x01020304)
  expect(new Reader(BYTES, 'X', 'little').u32()).toBe(0x04030201)
  expect(new Reader(BYTES, 'X').u64()).toBe(0x0102030405060708n)
})

test('a number with its top bit set is not negative', () => {
  expect(new Reader(Uint8Array.of(0xff, 0x54, 0x43, 0x47), 'X').u32()).toBe(0xff544347)
})

test('a read past the end names the innermost field', () => {
  const reader = new Reader(BYTES.subarray(0, 6), 'X')
  const read = () => reader.field('.a', () => reader.field('[1]', () => reader.u64()))
  expect(read).toThrow('X.a[1] at byte 0: needs 8 byte(s), 6 left')
})

test('a sized part ends at its size, for any bytes after it', () => {
  const reader = new Reader(BYTES, 'X')
  expect(() => reader.within(2, () => reader.u32())).toThrow('needs 4 byte(s), 2 left')
})

test('a sized part that is not used up is refused', () => {
  const reader = new Reader(BYTES, 'X')
  expect(() => reader.within(4, () => reader.u8())).toThrow('X at byte 1: 3 byte(s) left over')
})

test('after a sized part the rest can be read', () => {
  const reader = new Reader(BYTES, 'X')
  reader.within(2, () => reader.u16())
  expect(reader.u16()).toBe(0x0304)
})

test('a slice of a view begins where the view begins', () => {
  const reader = new Reader(BYTES.subarray(3), 'X')
  expect(reader.take(2)).toEqual(Uint8Array.of(4, 5))
})

test('padding must be zeros, and another byte is refused at its offset', () => {
  const reader = new Reader(Uint8Array.of(9, 0, 0, 0, 7), 'X')
  reader.take(1)
  reader.padding(3)
  expect(reader.offset).toBe(4)
  expect(() => reader.padding(1)).toThrow('X at byte 4: expected padding of zeros, got 7')
})
