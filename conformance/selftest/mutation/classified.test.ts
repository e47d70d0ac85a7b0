import { expect, test } from 'vitest'
import { loadClassified } from './classified.ts'

const KEY = 'reference/a.ts#0123456789'

test('every classified mutant has a reason', () => {
  for (const reason of loadClassified().values()) expect(reason.length).toBeGreaterThan(20)
})

test.each([
  [`- keys: [${KEY}]`, 'needs exactly one of equivalent, unspecified and gap'],
  [`- { equivalent: a, unspecified: b, keys: [${KEY}] }`, 'needs exactly one'],
  [`- { equivalent: a, keys: [${KEY}, ${KEY}] }`, 'has two classes'],
  [`- { gap: a, keys: [${KEY}0] }`, 'is no key of a mutant'],
  [`- { gap: a, keys: [${KEY}] }\n- { equivalent: b, keys: [${KEY}] }`, 'has two classes'],
])('a class that leaves a doubt is refused: %s', (text, sentence) => {
  expect(() => loadClassified(text)).toThrow(sentence)
})

test('a mutant of a gap has no reason', () => {
  expect(loadClassified(`- { gap: a, keys: [${KEY}] }`)).toEqual(new Map())
})
