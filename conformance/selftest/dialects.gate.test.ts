import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { discoverScenarios } from '../runner/discover.ts'
import type { Scenario } from '../scenario.ts'
import { freshOut, readResult, runAssay } from './command.ts'

/**
 * Scenarios that the dialect cannot express, ones that take too long, and agents and tenants, which have no dialect.
 */
const OUTSIDE_DIALECT = [
  'adversarial.subject-data.',
  'matrix.fields.pull-agent',
  'pull-agent.',
  'push-agent.',
  'tenant.',
]

/** Evidence that each run makes anew, in the forms of the dialect. */
const LIVE = 'adversarial.faults.'

/** Handshakes, framing and who may use the registrar's routes, under which settings: no dialect key changes these requests. */
const WITHOUT_FORMS = [
  ...['authorization.registrar.', 'authorization.provider.', 'certificates.', 'http.'],
  'registrar.unused',
]

/** Matrices with scenarios that do not run here. */
const PARTIAL = ['authorization', 'certificates']

/** Recorded evidence and registrations all have the same form: only the unaltered ones run. */
function isInDialect({ id, variantOf }: Scenario): boolean {
  if (WITHOUT_FORMS.some((place) => id.startsWith(place))) return false
  return !id.startsWith('adversarial.') || id.startsWith(LIVE) || variantOf === undefined
}

test('the reference conforms in the Keylime dialect', { timeout: 1_200_000 }, async () => {
  const out = freshOut()
  const target = 'reference/keylime-dialect.target.yaml'
  const scenarios = (await discoverScenarios(loadRequirements())).filter(isInDialect)
  const only = scenarios.flatMap(({ id }) => ['--only', id])
  const { code, stderr } = await runAssay(['run', '--target', target, '--out', out, ...only])
  expect(stderr).toBe('')
  const { matrices, scenarios: results } = readResult(out)
  const others = results.filter(({ outcome }) => !['pass', 'observed'].includes(outcome))
  const outside = results.filter(({ id }) => OUTSIDE_DIALECT.some((place) => id.startsWith(place)))
  const wrong = others.filter((one) => one.outcome !== 'not-applicable' || !outside.includes(one))
  expect(wrong.map(({ id, outcome, reason, repeat }) => ({ id, outcome, reason, repeat }))).toEqual(
    [],
  )
  expect(others.length).toBe(outside.length)
  expect(code).toBe(0)
  expect(matrices.map(({ name }) => name)).toEqual(expect.arrayContaining(['fields', 'routes']))
  for (const { name, defined, executed, red } of matrices) {
    if (!PARTIAL.includes(name)) expect(executed).toBe(defined)
    expect(red).toEqual([])
  }
  rmSync(out, { recursive: true, force: true })
})
