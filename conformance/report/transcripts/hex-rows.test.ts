import { expect, test } from 'vitest'
import { hexRows } from './hex-rows.ts'

test('hex is split into rows of sixteen bytes with their offset', () => {
  expect(hexRows('80'.repeat(17))).toBe(`0000  ${Array(16).fill('80').join(' ')}\n0010  80`)
})
