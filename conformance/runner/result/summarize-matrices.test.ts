import { expect, test } from 'vitest'
import type { CheckResult, ScenarioResult } from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import { summarizeMatrices } from './summarize-matrices.ts'

const scenario = {
  id: 'a.b',
  matrix: { name: 'colours', cells: (version: string) => [`${version} red`, `${version} blue`] },
} as unknown as Scenario

function result(version: string, checks: readonly Partial<CheckResult>[]): ScenarioResult {
  return { id: 'a.b', role: 'verifier', version, checks } as unknown as ScenarioResult
}

test('each cell is counted once under the versions that ran, and failed cells are named', () => {
  const checks = [
    { cell: '2.5 red', ok: true },
    { cell: '2.5 red', ok: false },
    { cell: '2.5 blue', ok: true },
    { ok: false },
  ]
  expect(summarizeMatrices([scenario], [result('2.5', checks), result('3.0', [])])).toEqual([
    { name: 'colours', defined: 4, executed: 2, red: ['2.5 red'] },
  ])
})

test('a run without a matrix has no matrix results', () => {
  expect(summarizeMatrices([{ id: 'a.b' } as Scenario], [result('2.5', [])])).toEqual([])
})

test('cells of a role that is not under test are not counted', () => {
  expect(summarizeMatrices([scenario], [result('2.5', [])], ['pull_agent'])).toEqual([])
})
