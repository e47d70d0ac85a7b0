import { expect, test } from 'vitest'
import { freshSeed, seededRandom } from './random.ts'

test('the same seed and name produce the same values', () => {
  const one = seededRandom('seed', 'a')
  const other = seededRandom('seed', 'a')
  expect([one.uuid(), one.bytes(70), one.below(10)]).toEqual([
    other.uuid(),
    other.bytes(70),
    other.below(10),
  ])
})

test('a different name produces different values', () => {
  expect(seededRandom('seed', 'a').uuid()).not.toBe(seededRandom('seed', 'b').uuid())
})

test('a different seed produces different values', () => {
  expect(seededRandom('one', 'a').uuid()).not.toBe(seededRandom('two', 'a').uuid())
})

test('uuid returns a version 4 UUID', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(seededRandom(freshSeed(), 'a').uuid()).toMatch(uuid)
})
