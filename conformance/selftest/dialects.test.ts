import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshOut, readResult, runAssay } from './command.ts'

/** What the dialect has no words for, and what takes longer than a scenario waits. */
const UNSAID = [
  'adversarial.subject-data.',
  'push.attestation.evidence-late',
  'session.proof-late',
  'session.token-expired',
]

test('the reference conforms in the dialect of Keylime too', { timeout: 600_000 }, async () => {
  const out = freshOut()
  const target = 'reference/keylime-dialect.target.yaml'
  const { code, stderr } = await runAssay(['run', '--target', target, '--out', out])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const { matrices, scenarios } = readResult(out)
  expect(matrices.map(({ name }) => name)).toEqual(expect.arrayContaining(['fields', 'routes']))
  for (const { defined, executed, red } of matrices) {
    expect(executed).toBe(defined)
    expect(red).toEqual([])
  }
  // What waits for real time is skipped without --slow.
  const others = scenarios.filter(
    ({ outcome }) => !['pass', 'observed', 'skipped'].includes(outcome),
  )
  const expected = scenarios.filter(({ id }) => UNSAID.some((place) => id.startsWith(place)))
  expect(others.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  expect(others.every(({ outcome }) => outcome === 'not-applicable')).toBe(true)
  rmSync(out, { recursive: true, force: true })
})
