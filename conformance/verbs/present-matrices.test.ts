import { expect, test } from 'vitest'
import { presentMatrices, sizeMatrices } from './present-matrices.ts'

const cells = (version: string) => [`a ${version}`, 'without a version']
const FILLERS = [
  { role: 'verifier', since: '2.4', until: '2.5', matrix: { name: 'colours', cells } },
  {
    role: 'verifier',
    since: '2.5',
    matrix: { name: 'colours', cells: (version: string) => [`b ${version}`] },
  },
  { role: 'registrar', since: '3.0', matrix: { name: 'colours', cells } },
  { role: 'registrar', since: '1.0' },
] as const

test('cells are counted by component and version, and cells without a version once', () => {
  expect(sizeMatrices(FILLERS)).toEqual([
    { name: 'colours', role: 'registrar', byVersion: [0, 0, 0, 0, 0, 0, 0, 2], all: 2 },
    { name: 'colours', role: 'verifier', byVersion: [0, 0, 0, 0, 0, 2, 3, 1], all: 5 },
  ])
})

test('the table ends with the number of cells', () => {
  const lines = presentMatrices(FILLERS).split('\n')
  expect(lines.find((line) => line.includes('verifier'))).toMatch(/ 2 │ +3 │ +1 │ +5 │$/)
  expect(lines.at(-2)).toBe('7 cells in 1 matrices')
})
