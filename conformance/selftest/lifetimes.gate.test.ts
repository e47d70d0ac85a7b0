import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { freshOut, readResult, runAssay } from './command.ts'

const EXPIRIES = [
  'push.attestation.evidence-late',
  'push.attestation.evidence-in-time',
  'session.proof-late',
  'session.proof-in-time',
  'session.token-expired',
]

test('without a variant of short lifetimes, the scenarios are not applicable, with the reason', async () => {
  const out = freshOut()
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const only = EXPIRIES.flatMap((id) => ['--only', id])
  await runAssay(['run', '--target', 'reference/moved-clock.target.yaml', '--out', out, ...only])
  const scenarios = readResult(out).scenarios.filter(({ id }) => EXPIRIES.includes(id))
  const reasons = new Map(scenarios.map(({ id, outcome, reason }) => [id, `${outcome}: ${reason}`]))
  expect(Object.fromEntries(reasons)).toEqual({
    'push.attestation.evidence-in-time':
      'not-applicable: half the lifetime of a challenge is 300 s, and a scenario waits for at most 45 s',
    'push.attestation.evidence-late':
      'not-applicable: its passing twin push.attestation.evidence-in-time is not-applicable: half the lifetime of a challenge is 300 s, and a scenario waits for at most 45 s',
    'session.proof-in-time':
      'not-applicable: most of the lifetime of a session challenge is 72 s, and a scenario waits for at most 45 s',
    'session.proof-late':
      'not-applicable: its passing twin session.proof-in-time is not-applicable: most of the lifetime of a session challenge is 72 s, and a scenario waits for at most 45 s',
    'session.token-expired':
      'not-applicable: half of the lifetime of a session challenge is 60 s, and a scenario waits for at most 45 s',
  })
})
