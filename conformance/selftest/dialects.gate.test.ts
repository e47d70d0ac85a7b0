import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { discoverScenarios } from '../runner/discover.ts'
import type { Scenario } from '../scenario.ts'
import { freshOut, readResult, runAssay } from './command.ts'

/** What the dialect has no words for, what takes longer than a scenario waits, and agents and tenants, which have no dialect. */
const UNSAID = [
  'adversarial.subject-data.',
  'matrix.fields.pull-agent',
  'pull-agent.',
  'push-agent.',
  'tenant.',
  'push.attestation.evidence-late',
  'session.proof-late',
  'session.token-expired',
]

/** What a machine does is said anew by each agent, and has the forms of its dialect. */
const LIVE = 'adversarial.faults.'

/** Recorded evidence and registrations travel in one form, altered or not: of their hundreds those go that are sound. */
function saidInDialect({ id, variantOf }: Scenario): boolean {
  return !id.startsWith('adversarial.') || id.startsWith(LIVE) || variantOf === undefined
}

test('the reference conforms in the dialect of Keylime too', { timeout: 1_200_000 }, async () => {
  const out = freshOut()
  const target = 'reference/keylime-dialect.target.yaml'
  const scenarios = (await discoverScenarios(loadRequirements())).filter(saidInDialect)
  const only = scenarios.flatMap(({ id }) => ['--only', id])
  const { code, stderr } = await runAssay(['run', '--target', target, '--out', out, ...only])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const { matrices, scenarios: judged } = readResult(out)
  expect(matrices.map(({ name }) => name)).toEqual(expect.arrayContaining(['fields', 'routes']))
  for (const { defined, executed, red } of matrices) {
    expect(executed).toBe(defined)
    expect(red).toEqual([])
  }
  // What waits for real time is skipped without --slow.
  const others = judged.filter(({ outcome }) => !['pass', 'observed', 'skipped'].includes(outcome))
  const expected = judged.filter(({ id }) => UNSAID.some((place) => id.startsWith(place)))
  expect(others.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  expect(others.every(({ outcome }) => outcome === 'not-applicable')).toBe(true)
  rmSync(out, { recursive: true, force: true })
})
