import { expect, test } from 'vitest'
import type { CatalogueRow } from '../../catalogue/requirement.ts'
import type { CheckResult, ScenarioResult } from '../../report/result.ts'
import { summarizeRequirements } from './summarize.ts'

const row = (id: string, members: Partial<CatalogueRow> = {}): CatalogueRow => ({
  id,
  component: 'registrar',
  since: '2.4',
  lines: [1],
  says: `${id} is so`,
  strength: 'fixed',
  judged: 'wire',
  ...members,
})
const rows = [row('A'), row('B', { since: '2.5' }), row('C', { judged_by: ['A', 'B'] })]

const checked = (version: string, results: Readonly<Record<string, boolean>>) =>
  ({
    version,
    checks: Object.entries(results).map(
      ([requirement, ok]) => ({ requirement, ok }) as CheckResult,
    ),
  }) as unknown as ScenarioResult
const resultOfC = (...scenarios: readonly ScenarioResult[]) =>
  summarizeRequirements(rows, scenarios, ['2.4', '2.5']).find(({ id }) => id === 'C')

test('a row that others judge passes if all of them pass in that version', () => {
  expect(
    resultOfC(checked('2.4', { A: true }), checked('2.5', { A: true, B: true })),
  ).toMatchObject({ judged_by: ['A', 'B'], by_version: { '2.4': 'pass', '2.5': 'pass' } })
})

test('a row that others judge fails if one of them fails', () => {
  expect(resultOfC(checked('2.5', { A: true, B: false }))?.by_version).toEqual({ '2.5': 'fail' })
})

test('a row that others judge has no result if one of them was not executed', () => {
  expect(resultOfC(checked('2.5', { A: true }))?.by_version).toEqual({})
})
