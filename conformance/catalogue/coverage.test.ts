import { expect, test } from 'vitest'
import { coverCatalogue, tallyCatalogue, tallyReasons, tallyRun } from './coverage.ts'
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

test("a row with a reason, its own or the file's, is excluded", () => {
  const rows = [row('B', { excluded: 'no hook' }), row('C', { excludedByFile: 'not yet' })]
  expect(idsOf(coverCatalogue(rows, [scenario]).excluded)).toEqual(['B', 'C'])
})

test('a row with neither a check nor a reason is reported', () => {
  expect(idsOf(coverCatalogue([row('B')], [scenario]).neither)).toEqual(['B'])
})

test('the reason of a row is stale once the row has a check', () => {
  expect(idsOf(coverCatalogue([row('A', { excluded: 'no hook' })], [scenario]).stale)).toEqual([
    'A',
  ])
})

test('the reason of a file never becomes stale', () => {
  const { stale, excluded } = coverCatalogue([row('A', { excludedByFile: 'x' })], [scenario])
  expect([stale, excluded]).toEqual([[], []])
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
