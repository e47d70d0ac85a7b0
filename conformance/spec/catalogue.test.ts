import { expect, test } from 'vitest'
import { discoverScenarios } from '../runner/discover.ts'
import { loadRequirements } from './load-requirements.ts'

const rows = loadRequirements()
const scenarios = await discoverScenarios(rows)

test('a variant has the role of its twin and no version that its twin lacks', () => {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const variants = scenarios.filter(({ variantOf }) => variantOf !== undefined)
  expect(variants.length).toBeGreaterThanOrEqual(14)
  for (const { variantOf = '', role, since } of variants) {
    expect(byId.get(variantOf)?.role).toBe(role)
    expect(Number(byId.get(variantOf)?.since)).toBeLessThanOrEqual(Number(since))
  }
})

test('every requirement is spoken for by a scenario', () => {
  const spoken = new Set(scenarios.flatMap((scenario) => scenario.requirements))
  expect(rows.filter(({ id }) => !spoken.has(id)).map(({ id }) => id)).toEqual([])
})
