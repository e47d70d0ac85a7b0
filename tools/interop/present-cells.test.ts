import { expect, test } from 'vitest'
import type { Cell } from './cell.ts'
import { countsOf } from './counts.ts'
import { Disagreement } from './disagreement.ts'
import { type Met, meetAll } from './meet.ts'
import { exitCodeOf, presentCells, presentMet } from './present-cells.ts'
import type { World } from './world.ts'

const NO_WORLD = {} as World

function cell(id: string, run: Cell['run']): Cell {
  return { id, says: `${id} is seen`, run }
}

const AGREES = cell('one', async () => 'everything')
const DIFFERS = cell('two', async () => {
  throw new Disagreement('the state', '3', '9')
})
const FAULTY = cell('three', async () => {
  throw new Error('swtpm is gone')
})

const meet = (...cells: readonly Cell[]): Promise<readonly Met[]> =>
  meetAll(cells, NO_WORLD, () => undefined)

test('where all agree the exit code is 0', async () => {
  expect(exitCodeOf(await meet(AGREES))).toBe(0)
})

test('where two differ it is 1, and the line says what was expected and received', async () => {
  const all = await meet(AGREES, DIFFERS)
  expect(exitCodeOf(all)).toBe(1)
  expect(all.map(presentMet).join('\n')).toContain('the state: expected 3, received 9')
})

test('a meeting that could not be held says nothing of either side: 2, and the others are held', async () => {
  const all = await meet(FAULTY, DIFFERS, AGREES)
  expect(exitCodeOf(all)).toBe(2)
  expect(presentCells(all)).toContain('1 agree, 1 differ, 1 not held')
})

test('what a suite came to is counted by class, under the cells', async () => {
  const totals = { pass: 3, fail: 2, waived: 1 }
  const all = await meet(
    AGREES,
    cell('suite', async () => countsOf(totals)),
  )
  expect(all.map(presentMet).join()).toContain('3 passed, 2 failed, 1 excused')
  expect(presentCells(all)).toMatch(/suite\s+│\s+3 │\s+2 │\s+1 │\s+0 │\s+0 │/)
})

test('the table has no times: two runs that end alike print alike', async () => {
  expect(presentCells(await meet(AGREES, DIFFERS))).toBe(presentCells(await meet(AGREES, DIFFERS)))
})
