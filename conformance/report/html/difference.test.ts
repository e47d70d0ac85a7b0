import { expect, test } from 'vitest'
import { marked, splitDifference } from './difference.ts'
import { textOf } from './escape.ts'

test('the common start and end of two values are not marked', () => {
  expect(splitDifference('/v3/agents/1/latest', '/v3/agents/27/latest')).toEqual({
    before: '/v3/agents/',
    differs: '1',
    after: '/latest',
  })
})

test('values with little in common are marked completely', () => {
  expect(textOf(marked('broken_evidence_chain', 'policy_violation'))).toBe(
    '<mark>broken_evidence_chain</mark>',
  )
})

test('a value that is a part of the other is not marked', () => {
  expect(textOf(marked('true', 'true '))).toBe('true')
  expect(textOf(marked('true ', 'true'))).toBe('true<mark> </mark>')
})

test('a surrogate pair is not split', () => {
  expect(splitDifference('aaa\u{1f511}', 'aaa\u{1f512}').differs).toBe('\u{1f511}')
})
