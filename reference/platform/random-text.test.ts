import { expect, test } from 'vitest'
import { seededRandom } from '../dev/testing/seeded-random.ts'
import { randomText } from './random-text.ts'

const random = seededRandom()
const texts = Array.from({ length: 2000 }, () => randomText(random))

test('every text has 20 letters and digits, and none comes twice', () => {
  expect(texts.filter((text) => !/^[A-Za-z0-9]{20}$/.test(text))).toEqual([])
  expect(new Set(texts).size).toBe(texts.length)
})

test('no letter is more likely than another', () => {
  const counts = new Map<string, number>()
  for (const letter of texts.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const expected = (texts.length * 20) / 62
  expect(counts.size).toBe(62)
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected / 5)
})

test('bytes that would favour some letters are left out', () => {
  const bytes = [new Uint8Array(20).fill(255), new Uint8Array(20).fill(61)]
  expect(randomText({ bytes: () => bytes.shift() ?? new Uint8Array(20) })).toBe('9'.repeat(20))
})
