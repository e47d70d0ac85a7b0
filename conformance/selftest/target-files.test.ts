import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { packageRoot } from '../input/package-root.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { type PlanOptions, planTrials } from '../runner/plan.ts'
import { targetSchema } from '../target/check-target.ts'
import { HOOKS_OF_CAPABILITIES } from '../target/deployment/hooks.ts'
import type { TargetDocument } from '../target/target-document.ts'

const schema = JSON.parse(readFileSync(targetSchema(), 'utf8')) as {
  readonly properties: { readonly capabilities: { readonly items: { enum: string[] } } }
}
const { enum: words } = schema.properties.capabilities.items
const folder = join(packageRoot(), 'reference')
const files = readdirSync(folder).filter((name) => name.endsWith('.target.yaml'))
const scenarios = await discoverScenarios(loadRequirements())

/** Claimed capabilities that no scenario for the roles and versions of the file needs. */
function unneededClaims(claims: Pick<PlanOptions, 'capabilities' | 'roles' | 'versions'>) {
  const trials = planTrials(scenarios, { ...claims, only: [] })
  const planned = trials.filter(({ excluded }) => excluded === undefined)
  const needed = new Set(planned.flatMap(({ scenario: { needs = [] } }) => needs))
  return claims.capabilities.filter((word) => !needed.has(word) && !HOOKS_OF_CAPABILITIES.has(word))
}

test.each(files)('%s names its schema for editors', (file) => {
  const { $schema } = parse(readFileSync(join(folder, file), 'utf8'))
  expect(resolve(folder, $schema)).toBe(targetSchema())
})

test.each(files)('scenarios need every capability that %s claims', (file) => {
  const document = parse(readFileSync(join(folder, file), 'utf8')) as TargetDocument
  const { capabilities = [], roles, versions } = document
  expect(unneededClaims({ capabilities, versions, roles: Object.keys(roles) })).toEqual([])
})

test('every capability that a target file can claim has a scenario', () => {
  const roles = ['verifier', 'registrar']
  expect(unneededClaims({ capabilities: words, versions: ['2.0', '2.5', '3.0'], roles })).toEqual(
    [],
  )
})
