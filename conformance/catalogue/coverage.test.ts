import { expect, test } from 'vitest'
import type { CheckResult } from '../report/result.ts'
import {
  compareExcluded,
  coverCatalogue,
  faultsOfJudgedRows,
  tallyCatalogue,
  tallyReasons,
  tallyRun,
} from './coverage.ts'
import type { CatalogueRow } from './requirement.ts'

const row = (id: string, members: Partial<CatalogueRow> = {}): CatalogueRow => ({
  id,
  component: 'registrar',
  since: '2.1',
  lines: [1],
  says: 'It is so',
  strength: 'fixed',
  judged: 'wire',
  ...members,
})
const idsOf = (rows: readonly CatalogueRow[]) => rows.map(({ id }) => id)
const scenario = { id: 'one', requirements: ['A'] }

test('a row of a scenario is checked', () => {
  expect(idsOf(coverCatalogue([row('A'), row('B')], [scenario]).checked)).toEqual(['A'])
})

test('a row with a reason is excluded', () => {
  const rows = [row('B', { excluded: 'no hook' })]
  expect(idsOf(coverCatalogue(rows, [scenario]).excluded)).toEqual(['B'])
})

test('a row that a checked row judges is checked', () => {
  const rows = [row('A'), row('B', { judged_by: ['A'] }), row('C', { judged_by: ['D'] })]
  const { checked, neither } = coverCatalogue(rows, [scenario])
  expect([idsOf(checked), idsOf(neither)]).toEqual([['A', 'B'], ['C']])
})

test('a row that a checked row judges is judged in a valid way', () => {
  const rows = [row('A'), row('B', { judged_by: ['A'] })]
  expect(faultsOfJudgedRows(rows, [scenario])).toEqual([])
})

test.each([
  ['an unknown row', [row('B', { judged_by: ['X'] })], 'B is judged by X, which does not exist'],
  [
    'a row without a check',
    [row('B', { judged_by: ['C'] }), row('C')],
    'B is judged by C, which no scenario checks',
  ],
  [
    'a row that is judged by another one',
    [row('A'), row('B', { judged_by: ['A'] }), row('C', { judged_by: ['B'] })],
    'C is judged by B, which other rows judge',
  ],
])('%s cannot judge another one', (_what, rows, sentence) => {
  expect(faultsOfJudgedRows(rows, [scenario])).toEqual([sentence])
})

test('a row with checks of its own cannot be judged by another one', () => {
  const rows = [row('A', { judged_by: ['B'] }), row('B')]
  expect(faultsOfJudgedRows(rows, [{ id: 'one', requirements: ['A', 'B'] }])).toEqual([
    'A has checks of its own',
  ])
})

const results = [{ checks: [{ requirement: 'A' } as CheckResult] }]

test('an executed row is not excluded, and an excluded row is not executed', () => {
  const rows = [row('A'), row('B', { judged_by: ['A'] }), row('C', { excluded: 'no hook' })]
  expect(compareExcluded(rows, results)).toEqual({ missing: [], stale: [] })
})

test('a row that a run did not execute and the catalogue does not exclude is missing', () => {
  const rows = [row('A'), row('B'), row('C', { judged_by: ['A', 'B'] })]
  expect(compareExcluded(rows, results)).toEqual({ missing: ['B', 'C'], stale: [] })
})

test('an excluded row that a run executed is stale', () => {
  expect(compareExcluded([row('A', { excluded: 'no hook' })], results)).toEqual({
    missing: [],
    stale: ['A'],
  })
})

test('a row with neither a check nor a reason is reported', () => {
  expect(idsOf(coverCatalogue([row('B')], [scenario]).neither)).toEqual(['B'])
})

test('the reason of a row is stale once the row has a check', () => {
  expect(idsOf(coverCatalogue([row('A', { excluded: 'no hook' })], [scenario]).stale)).toEqual([
    'A',
  ])
})

test('an unknown id is reported', () => {
  expect(coverCatalogue([], [scenario]).unknown).toEqual(['A'])
})

test('rows are counted by strength, test method and security', () => {
  const rows = [row('A', { security: true }), row('B', { strength: 'silent', judged: 'clock' })]
  expect(tallyCatalogue(rows, [scenario])).toEqual([
    {
      component: 'registrar',
      rows: 2,
      checked: 1,
      security: 1,
      byStrength: { fixed: 1, either: 0, silent: 1 },
      byMethod: { wire: 1, config: 0, clock: 1, 'white-box': 0, 'not-testable': 0 },
    },
  ])
})

const run = (by_version: Record<string, 'pass' | 'fail'>, versions = ['2.5', '3.0']) => ({
  target: { name: 't', file: 'f', roles: [], versions, dialect: 'document' },
  requirements: [
    { id: 'A', by_version },
    { id: 'B', by_version: {} },
  ],
  scenarios: [],
})

test('a run is counted by component and version', () => {
  expect(tallyRun([row('A'), row('B')], run({ '2.5': 'pass', '3.0': 'fail' }))).toEqual([
    { component: 'registrar', version: '2.5', rows: 2, executed: 1, held: 1, broken: 0 },
    { component: 'registrar', version: '3.0', rows: 2, executed: 1, held: 0, broken: 1 },
  ])
})

test('a row counts only in its versions', () => {
  const tallies = tallyRun([row('A', { until: '2.5' })], run({ '2.5': 'pass' }))
  expect(tallies.map(({ version }) => version)).toEqual(['2.5'])
})

test('versions without a run are not counted', () => {
  expect(tallyRun([row('A')], run({}, ['2.4'])).map(({ version }) => version)).toEqual(['2.4'])
})

test('reasons are counted, the most frequent first', () => {
  const rows = ['x', 'y', 'y'].map((excluded, at) => row(`R${at}`, { excluded }))
  expect(tallyReasons(rows)).toEqual([
    { reason: 'y', rows: 2 },
    { reason: 'x', rows: 1 },
  ])
})
