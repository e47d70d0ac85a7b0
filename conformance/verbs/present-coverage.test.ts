import { expect, test } from 'vitest'
import { proveLines } from '../catalogue/prove-lines.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import type { CheckResult } from '../report/result.ts'
import { presentCoverage, presentProof } from './present-coverage.ts'

const row = (id: string, members: Partial<CatalogueRow> = {}): CatalogueRow => ({
  id,
  component: 'registrar',
  since: '2.1',
  lines: [1],
  says: `${id} is so`,
  strength: 'fixed',
  judged: 'wire',
  ...members,
})
const NONE = { blank: [], heading: [], 'table-rule': [], 'table-header': [], introduction: [] }
const rows = [
  row('A', { security: true }),
  row('B', { component: 'tenant', strength: 'silent', judged: 'clock', excluded: 'no hook' }),
  row('C'),
]
const scenarios = [{ id: 's', requirements: ['A'] }]
const proof = proveLines(rows, NONE, 2)
const cellsOf = (text: string, name: string) =>
  text
    .split('\n')
    .filter((one) => one.startsWith(`│ ${name} `))
    .map((one) =>
      one
        .split('│')
        .slice(2, -1)
        .map((cell) => cell.trim()),
    )

test('each component has its counts, and the last row their sums', () => {
  const text = presentCoverage({ rows, silences: [], scenarios, proof })
  expect(cellsOf(text, 'tenant')).toEqual([['1', '0', '0', '0', '0', '1', '0', '0', '1', '0', '0']])
  expect(cellsOf(text, 'all')).toEqual([['3', '1', '1', '2', '0', '1', '2', '0', '1', '0', '0']])
})

test('rows without a check are grouped by reason, and listed if they have none', () => {
  const text = presentCoverage({ rows, silences: [], scenarios, proof })
  expect(text).toContain('3 rows: 1 checked by 1 scenario, 1 not, for a reason, 1 not, without one')
  expect(text).toContain('     1  no hook\n        C: C is so')
})

test('rows that another specification or safety fixes are counted apart', () => {
  const others = [row('D', { fixed_by: 'RFC 9110, 15.6' }), row('E', { fixed_by: 'safety' })]
  const text = presentCoverage({ rows: [...rows, ...others], silences: [], scenarios, proof })
  expect(text).toContain('fixed by the document: 2 rows; by another specification: 1; by safety: 1')
})

test('a line that no row cites is listed', () => {
  expect(presentProof(proof)).toBe(
    '2 lines of the interface document: 1 cited, 1 uncited\n        line 2 is cited by no row',
  )
})

test('a result adds the number of executed rows', () => {
  const requirements = [{ id: 'A', by_version: { '2.5': 'fail' as const } }]
  const target = { versions: ['2.5'] }
  const text = presentCoverage({
    rows,
    silences: [],
    scenarios,
    proof,
    result: { requirements, target, scenarios: [] },
  })
  expect(cellsOf(text, 'registrar').at(-1)).toEqual(['2.5', '2', '1', '0', '1'])
})

test('a result adds the rows that it did not execute, by strength, each with its reason', () => {
  const checks = [{ requirement: 'A' } as CheckResult]
  const result = { requirements: [], target: { versions: ['2.5'] }, scenarios: [{ checks }] }
  const later = [...rows, row('D', { since: '3.0' })]
  const subject = { rows: later, silences: [], scenarios, proof }
  expect(presentCoverage({ ...subject, result })).toContain(
    [
      '3 rows without an executed check: 2 fixed, 0 either, 1 silent',
      '        B: no hook',
      '        C: no check of this run covers it',
      '        D: the target has none of its versions',
    ].join('\n'),
  )
})
