import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { zlibBomb } from './zlib-bomb.ts'

test.each([0, 1, 2, 3, 4, 100_000])(
  'a bomb of %i matches inflates to that many zero bytes',
  (matches) => {
    const inflated = inflateSync(zlibBomb(matches))
    expect(inflated.length).toBe(1 + 258 * matches)
    expect(inflated.every((byte) => byte === 0)).toBe(true)
  },
)

test('a gibibyte fits in little more than a megabyte', () => {
  const matches = Math.ceil(2 ** 30 / 258)
  expect(zlibBomb(matches).length).toBeLessThan(1.05 * 2 ** 20)
})
