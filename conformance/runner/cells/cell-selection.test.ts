import { expect, test } from 'vitest'
import type { Scenario } from '../../scenario.ts'
import { ENVIRONMENT } from '../../selftest/outcomes/five-outcomes.ts'
import { planTrials } from '../plan.ts'
import { runScenario } from '../run-scenario.ts'
import { refuseUnknownCells, refuseUnknownSelections } from './cell-selection.ts'

const CELLS = ['first cell', 'second cell', 'third, odd cell']
const base = { title: '', requirements: ['REQ'], role: 'verifier', since: '2.1' } as const
const asked: string[] = []
const MATRIX: Scenario = {
  ...base,
  id: 'a.matrix',
  variantOf: 'a.twin',
  matrix: { name: 'colours', cells: (version) => (version === '3.0' ? CELLS : []) },
  async run({ check, asks }) {
    for (const cell of CELLS) {
      if (asks(cell)) asked.push(cell)
      check('REQ', 'value', cell).of(cell).is('first cell')
    }
  },
}
const SCENARIOS: readonly Scenario[] = [
  MATRIX,
  { ...base, id: 'a.twin', run: () => Promise.resolve() },
]
const OPTIONS = { roles: ['verifier'], versions: ['2.5', '3.0'], capabilities: [] }

const faultOf = (only: string) => {
  try {
    refuseUnknownCells([only], SCENARIOS, OPTIONS.versions)
    return undefined
  } catch (error) {
    const { sentence, next } = error as { sentence: string; next: string }
    return { sentence, next }
  }
}

test('a chosen cell is planned under the versions that have it, with the whole twin', () => {
  const trials = planTrials(SCENARIOS, { ...OPTIONS, only: ['a.matrix#second cell'] })
  expect(trials.map(({ scenario, version, cells }) => [scenario.id, version, cells])).toEqual([
    ['a.twin', '2.5', undefined],
    ['a.twin', '3.0', undefined],
    ['a.matrix', '3.0', ['second cell']],
  ])
})

test('only the chosen cell is asked and judged, and the command repeats it', async () => {
  const trial = { scenario: MATRIX, version: '3.0', cells: ['third, odd cell'] }
  const { checks, outcome, repeat } = await runScenario(ENVIRONMENT, trial, 'm')
  expect(asked).toEqual(['third, odd cell'])
  expect(checks.map(({ cell }) => cell)).toEqual(['third, odd cell'])
  expect(outcome).toBe('fail')
  expect(repeat).toBe("npm start -- --only 'a.matrix#third, odd cell'")
})

test('an unknown cell or scenario is refused with the nearest names', () => {
  expect(faultOf('a.matrix#first cell')).toBeUndefined()
  expect(faultOf('a.matrix#frist cell')).toEqual({
    sentence:
      'a.matrix has no cell "frist cell" in the matrix colours under the versions of this run',
    next: 'did you mean first cell?',
  })
  expect(faultOf('a.matrx#first cell')).toEqual({
    sentence: '--only a.matrx#first cell: no scenario has the id a.matrx',
    next: 'did you mean a.matrix?',
  })
  expect(faultOf('a.twin#x')?.sentence).toBe('a.twin fills no matrix, so it has no cell "x"')
})

test.each([
  ['a', "--only 'a.*' selects 2 scenarios"],
  ['a.twim', 'did you mean a.twin?'],
  ['zzzzzz.*', 'assay list shows them all'],
])('the pattern %s, which selects no scenario, is answered by one that does', (pattern, next) => {
  const all = [{ id: 'a.matrix' }, { id: 'a.twin' }]
  expect(() => refuseUnknownSelections(['a.*', pattern], all)).toThrow(
    expect.objectContaining({ sentence: `no scenario matches --only ${pattern}`, next }),
  )
})
