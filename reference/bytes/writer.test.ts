import { expect, test } from 'vitest'
import { Writer } from './writer.ts'

test('numbers are written in the order the writer was made for', () => {
  const writer = new Writer('little')
  writer.u32(0x01020304)
  writer.u16(5)
  expect(writer.finish()).toEqual(Uint8Array.of(4, 3, 2, 1, 5, 0))
})

test('a number that does not fit is refused instead of wrapped', () => {
  expect(() => new Writer().u16(0x10000)).toThrow(RangeError)
  expect(() => new Writer().u32(-1)).toThrow(RangeError)
  expect(() => new Writer().u64(1n << 64n)).toThrow(RangeError)
})
