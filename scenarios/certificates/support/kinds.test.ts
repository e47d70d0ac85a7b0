import { expect, test } from 'vitest'
import { loadRequirements } from '../../../conformance/catalogue/load-requirements.ts'
import { applies } from '../../../conformance/catalogue/routes/operations.ts'
import { discoverScenarios } from '../../../conformance/runner/discover.ts'
import { RECIPES } from '../../../simulator/x509/recipes.ts'
import { cellsOf } from './admin-family.ts'
import { KINDS, requirementsOf } from './kinds.ts'
import { nearKinds } from './near-kinds.ts'
import { COMPONENTS } from './questions.ts'

const requirements = loadRequirements()

test('every kind of the matrix has a recipe, and every other recipe is one of a scenario of its own', () => {
  const kinds = KINDS.map(({ kind }) => kind)
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(new Set([...kinds, ...nearKinds.map(({ kind }) => kind), 'no-name'])).toEqual(
    new Set(Object.keys(RECIPES)),
  )
})

test('every kind has requirements of the catalogue', () => {
  const known = new Set(requirements.map(({ id }) => id))
  expect(KINDS.flatMap(requirementsOf).filter((id) => !known.has(id))).toEqual([])
})

test('a refused kind has a security requirement', () => {
  const security = new Set(requirements.flatMap((row) => (row.security ? [row.id] : [])))
  const refused = KINDS.filter(({ outcome }) => outcome === 'anonymous')
  expect(refused.flatMap(requirementsOf).filter((id) => !security.has(id))).toEqual([])
})

test('no cell occurs twice in the matrix, across scenarios', async () => {
  const scenarios = await discoverScenarios(requirements)
  const own = scenarios.filter(({ matrix }) => matrix?.name === 'certificates')
  const cells = ['2.5', '3.0'].flatMap((version) =>
    own
      .filter((scenario) => applies(scenario, version))
      .flatMap(({ matrix }) => matrix?.cells(version) ?? []),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

test('each kind is presented to each component on routes that read and on routes that delete', () => {
  for (const row of KINDS) {
    for (const component of COMPONENTS) {
      const cells = cellsOf(row, component, '2.5').join('\n')
      expect(cells).toMatch(/ read(-agent)? 2\.5 tls1\.2 fresh/)
      expect(cells).toMatch(/ delete(-agent)? 2\.5 tls1\.3 resumed/)
    }
  }
})
