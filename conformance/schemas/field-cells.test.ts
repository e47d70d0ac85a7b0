import { expect, test } from 'vitest'
import { makeCheck } from '../attempt/check.ts'
import type { CatalogueRow, FieldRow } from '../catalogue/requirement.ts'
import type { CheckResult } from '../report/result.ts'
import { checkFields } from './check-fields.ts'
import { fieldCells, MEMBER_RANGE } from './field-cells.ts'
import { otherMembers } from './other-members.ts'

const base = { component: 'registrar', lines: [1], says: 'It is so', judged: 'wire' } as const
const row = (
  id: string,
  [since, until]: readonly [string, string?],
  field: Partial<FieldRow>,
): CatalogueRow => ({
  ...base,
  id,
  since,
  ...(until === undefined ? {} : { until }),
  strength: 'fixed',
  field: { reply: 'registrar.read', path: 'a', type: 'string', ...field },
})

const ROWS: readonly CatalogueRow[] = [
  row('NEW', ['2.1'], { path: 'results.new' }),
  row('OLD', ['2.0', '2.0'], { path: 'results.new', or: 'results.old' }),
  row('LATE', ['2.4'], { path: 'results.late', type: 'integer' }),
  row('EACH', ['2.4'], { path: 'results.list[].x', when: 'the member is there' }),
  {
    ...base,
    id: 'UNSHOWN',
    since: '1.0',
    until: '1.0',
    strength: 'silent',
    like: { replies: ['registrar.read'], version: '2.4' },
  },
]
const cellsOf = (version: string) =>
  fieldCells(ROWS, 'registrar.read', version).map(
    ({ name, requirement, field }) => `${name}: ${field.type} (${requirement})`,
  )

test('members of other versions are cells of this one that are absent or of their type', () => {
  expect(cellsOf('2.1')).toEqual([
    'registrar.read 2.1 results.new: string (NEW)',
    `registrar.read 2.1 results.old: absent-or-string (${MEMBER_RANGE})`,
    `registrar.read 2.1 results.late: absent-or-integer (${MEMBER_RANGE})`,
    `registrar.read 2.1 results.list[].x: absent-or-string (${MEMBER_RANGE})`,
  ])
})

test('an alternative name does not count as an absent member', () => {
  expect(cellsOf('2.0')).not.toContainEqual(expect.stringContaining('results.old'))
})

test('a version that the document does not show may have the members of a shown version', () => {
  expect(cellsOf('1.0')).toEqual([
    'registrar.read 1.0 results.new: string-or-absent (UNSHOWN)',
    'registrar.read 1.0 results.late: integer-or-absent (UNSHOWN)',
    'registrar.read 1.0 results.list[].x: string-or-absent (UNSHOWN)',
    `registrar.read 1.0 results.old: absent-or-string (${MEMBER_RANGE})`,
  ])
})

test('a version without the reply has no cells', () => {
  expect(fieldCells(ROWS.slice(0, 4), 'registrar.read', '1.0')).toEqual([])
})

function checkReply(version: string, body: unknown): readonly CheckResult[] {
  const results: CheckResult[] = []
  const cells = fieldCells(ROWS, 'registrar.read', version).map(({ name }) => name)
  const sink = { lastExchange: () => 0, add: (result: CheckResult) => results.push(result) }
  const ids = [...ROWS.map(({ id }) => id), MEMBER_RANGE]
  const check = makeCheck(ids, sink, undefined, cells)
  const reply = 'registrar.read'
  checkFields(check, { rows: ROWS, reply, version, body, conditions: [], asCells: true })
  return results
}
const red = (version: string, results: unknown) =>
  checkReply(version, { results })
    .filter(({ ok }) => !ok)
    .map(({ cell }) => cell)

test('every cell is executed, including those of optional members', () => {
  const executed = checkReply('2.4', { results: { new: 'x', late: 1 } }).map(({ cell }) => cell)
  expect(executed).toEqual(fieldCells(ROWS, 'registrar.read', '2.4').map(({ name }) => name))
})

test.each([
  ['2.4', { new: 'x', late: 1, list: [{ x: 'y' }] }, []],
  ['2.4', { new: 'x', late: null }, ['registrar.read 2.4 results.late']],
  ['2.3', { new: 'x', late: 1 }, []],
  ['2.3', { new: 'x', late: 'x' }, ['registrar.read 2.3 results.late']],
  ['2.0', { old: 'x' }, []],
  ['2.0', { new: 'x' }, []],
  ['2.0', {}, ['registrar.read 2.0 results.new']],
  ['2.1', { new: 'x', old: 7 }, ['registrar.read 2.1 results.old']],
  ['1.0', { late: 'no integer' }, ['registrar.read 1.0 results.late']],
])('%s with %j is red in %j', (version, results, cells) => {
  expect(red(version, results)).toEqual(cells)
})

test('unknown members are reported with their paths', () => {
  const body = { more: 1, results: { new: 'x', odd: 1, list: [{ x: 'y', y: 1 }, { y: 2 }] } }
  const rows = [...ROWS, row('BODY', ['2.4'], { path: 'code' })]
  expect(otherMembers(rows, 'registrar.read', body)).toEqual([
    'more',
    'results.odd',
    'results.list[].y',
  ])
})

test('members of an object without rows are not reported', () => {
  const rows = [row('BODY', ['2.4'], { path: 'results.claims', type: 'object' })]
  const body = { results: { claims: { anything: 1 } } }
  expect(otherMembers(rows, 'registrar.read', body)).toEqual([])
})

test('an array element selected by type counts like any other element', () => {
  const rows = [row('PICKED', ['2.4'], { path: 'data[type=x].value' })]
  const body = { data: [{ value: 1, type: 'x' }] }
  expect(otherMembers(rows, 'registrar.read', body)).toEqual(['data[].type'])
})
