import { expect, test } from 'vitest'
import { fromHex, toHex } from './hex.ts'

test('both cases are read, lower case is written', () => {
  expect(toHex(fromHex('00fFA5'))).toBe('00ffa5')
})

test('an invalid digit is refused at its offset', () => {
  expect(() => fromHex('00x0', 'pcr')).toThrow('pcr at byte 2: not a hexadecimal digit')
})

test('an odd number of digits is refused', () => {
  expect(() => fromHex('000')).toThrow('odd number')
})
