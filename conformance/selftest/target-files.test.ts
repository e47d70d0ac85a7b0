import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { packageRoot } from '../input/package-root.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { type PlanOptions, planTrials } from '../runner/plan.ts'
import { HOOKS_OF_CAPABILITIES } from '../target/deployment/hooks.ts'
import type { TargetDocument } from '../target/target-document.ts'

const schema = JSON.parse(
  readFileSync(join(packageRoot(), 'conformance', 'target', 'target.schema.json'), 'utf8'),
) as { readonly properties: { readonly capabilities: { readonly items: { enum: string[] } } } }
const { enum: words } = schema.properties.capabilities.items
const folder = join(packageRoot(), 'reference')
const files = readdirSync(folder).filter((name) => name.endsWith('.target.yaml'))
const scenarios = await discoverScenarios(loadRequirements())

/** What such a file claims, and no scenario asks for that is run for its roles and versions. */
function vainClaims(claims: Pick<PlanOptions, 'capabilities' | 'roles' | 'versions'>) {
  const trials = planTrials(scenarios, { ...claims, only: [], slow: true })
  const asked = trials.filter(({ excluded }) => excluded === undefined)
  const needed = new Set(asked.flatMap(({ scenario: { needs = [] } }) => needs))
  return claims.capabilities.filter((word) => !needed.has(word) && !HOOKS_OF_CAPABILITIES.has(word))
}

test.each(files)('what %s claims is what scenarios of its roles ask for', (file) => {
  const document = parse(readFileSync(join(folder, file), 'utf8')) as TargetDocument
  const { capabilities = [], roles, versions } = document
  expect(vainClaims({ capabilities, versions, roles: Object.keys(roles) })).toEqual([])
})

test('there is a scenario for whatever a target file can claim', () => {
  const roles = ['verifier', 'registrar']
  expect(vainClaims({ capabilities: words, versions: ['2.5', '3.0'], roles })).toEqual([])
})
