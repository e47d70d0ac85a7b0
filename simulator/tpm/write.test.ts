import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Cursor, ShortRead } from './cursor.ts'
import { cat, fromHex, toHex, tpm2b, u8, u16, u16le, u32, u32le, u64 } from './write.ts'

test('integers are written most significant byte first', () => {
  const bytes = cat(u8(0x01), u16(0x0203), u32(0xff544347), u64(0x0102030405n))
  expect(toHex(bytes)).toBe('010203ff5443470000000102030405')
})

test('the little-endian writers reverse', () => {
  expect(toHex(cat(u16le(0x0102), u32le(0x01020304)))).toBe('020104030201')
})

test('a TPM2B states its size, or the given one', () => {
  expect(toHex(tpm2b(Uint8Array.of(7, 8)))).toBe('00020708')
  expect(toHex(tpm2b(Uint8Array.of(7, 8), 0xffff))).toBe('ffff0708')
})

test('text that is not whole hexadecimal bytes is refused', () => {
  expect(fromHex('0aFF')).toEqual(Uint8Array.of(10, 255))
  expect(() => fromHex('0aF')).toThrow(RangeError)
  expect(() => fromHex('0aFg')).toThrow(RangeError)
})

test('the cursor reads what the writer wrote, and ignores the rest', () => {
  fc.assert(
    fc.property(
      fc.nat(0xffff),
      fc.nat(0xffffffff),
      fc.bigInt(0n, (1n << 64n) - 1n),
      fc.uint8Array({ maxLength: 300 }),
      (short, long, huge, rest) => {
        const written = cat(u16(short), u32(long), u64(huge), u32le(long), tpm2b(rest), rest)
        const cursor = new Cursor(written, 'x')
        const numbers = [cursor.u16(), cursor.u32(), cursor.u64(), cursor.u32le()]
        expect(numbers).toEqual([short, long, huge, long])
        expect(cursor.tpm2b()).toEqual(rest)
        expect(cursor.left).toBe(rest.length)
        expect(cursor.rest()).toEqual(rest)
      },
    ),
  )
})

test('a read past the end reports the offset, the wanted and the available bytes', () => {
  const cursor = new Cursor(Uint8Array.of(0, 5, 1, 2, 3, 4), 'TPM2B_DATA')
  expect(() => cursor.tpm2b()).toThrow(new ShortRead('TPM2B_DATA', 2, 5, 4))
  expect(new Cursor(Uint8Array.of(0, 4, 1, 2, 3, 4), 'TPM2B_DATA').tpm2b()).toEqual(
    Uint8Array.of(1, 2, 3, 4),
  )
})
