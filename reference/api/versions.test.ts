import { expect, test } from 'vitest'
import {
  API_VERSIONS,
  currentOf,
  DOCUMENTED_VERSIONS,
  isWithin,
  parseVersions,
  prefixesOf,
} from './versions.ts'

test.each([
  ['2.3', true],
  ['2.4', true],
  ['2.5', true],
  ['2.2', false],
  ['2.6', false],
  ['3.0', false],
] as const)('%s within 2.3 to 2.5 is %s', (version, within) => {
  expect(isWithin(version, { since: '2.3', until: '2.5' })).toBe(within)
})

test('a range without an end is open, and one without a beginning begins with the first version', () => {
  expect(API_VERSIONS.filter((version) => isWithin(version, { since: '2.5' }))).toEqual([
    '2.5',
    '2.6',
    '3.0',
  ])
  expect(API_VERSIONS.filter((version) => isWithin(version, { until: '2.0' }))).toEqual([
    '1.0',
    '2.0',
  ])
})

test('a version answers to its own prefix, a round one also to its major number', () => {
  expect(API_VERSIONS.flatMap(prefixesOf)).toEqual(
    '/v1.0 /v1 /v2.0 /v2 /v2.1 /v2.2 /v2.3 /v2.4 /v2.5 /v2.6 /v3.0 /v3'.split(' '),
  )
})

test('by default exactly the versions of the document are served', () => {
  expect(DOCUMENTED_VERSIONS).toEqual(['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0'])
})

test.each([
  [API_VERSIONS, '2.6'],
  [DOCUMENTED_VERSIONS, '2.5'],
  [['2.1', '3.0'], '2.1'],
  [['1.0', '3.0'], '3.0'],
  [['1.0'], '1.0'],
] as const)('of %s the current one is %s', (served, current) => {
  expect(currentOf(served)).toBe(current)
})

test.each([
  ['2.5', ['2.5']],
  ['3.0,2.5', ['2.5', '3.0']],
  [' 2.0 , 2.5 , 2.0 ', ['2.0', '2.5']],
] as const)('%s is a list of versions', (text, versions) => {
  expect(parseVersions(text)).toEqual(versions)
})

test.each([
  '',
  ',',
  '2.5,',
  '2.7',
  'v2.5',
  '2',
  '2.5 3.0',
  '2.5;3.0',
  'all',
  '02.5',
  '2.50',
  '__proto__',
])('"%s" is not a version list', (text) => {
  expect(parseVersions(text)).toBeUndefined()
})
