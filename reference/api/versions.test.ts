import { expect, test } from 'vitest'
import { API_VERSIONS, CURRENT_VERSION, isWithin, prefixesOf, SERVED_VERSIONS } from './versions.ts'

test.each([
  ['2.3', true],
  ['2.4', true],
  ['2.5', true],
  ['2.2', false],
  ['3.0', false],
] as const)('%s within 2.3 to 2.5 is %s', (version, within) => {
  expect(isWithin(version, { since: '2.3', until: '2.5' })).toBe(within)
})

test('a range without an end goes on', () => {
  expect(API_VERSIONS.filter((version) => isWithin(version, { since: '2.5' }))).toEqual([
    '2.5',
    '3.0',
  ])
})

test('a version answers to its own prefix, a round one also to its major number', () => {
  expect(prefixesOf('2.5')).toEqual(['/v2.5'])
  expect(prefixesOf('3.0')).toEqual(['/v3.0', '/v3'])
})

test('the current version is among those that are served', () => {
  expect(SERVED_VERSIONS).toContain(CURRENT_VERSION)
})
