import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadTranscripts } from '../report/transcripts/load-transcripts.ts'
import { TRANSCRIPTS_FILE } from '../report/transcripts/write-transcripts.ts'
import { freshOut, readResult, runAssay } from './command.ts'

const EXPIRIES = ['push.attestation.evidence-late', 'session.proof-late', 'session.token-expired']

async function runCommand(target: string) {
  const out = freshOut()
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const only = EXPIRIES.flatMap((id) => ['--only', id])
  const { code } = await runAssay(['run', '--target', target, '--out', out, ...only])
  const { scenarios } = readResult(out)
  const path = join(out, TRANSCRIPTS_FILE)
  const transcripts = await Promise.all(EXPIRIES.map((id) => loadTranscripts(path, id)))
  return {
    code,
    scenarios: scenarios.filter(({ id }) => EXPIRIES.includes(id)),
    entries: transcripts.flat().flatMap(({ transcript }) => transcript),
  }
}

test('with lifetimes of a few seconds, each another, expired challenges and tokens are rejected on the wire', {
  timeout: 300_000,
}, async () => {
  const { code, scenarios, entries } = await runCommand('reference/short-lived.target.yaml')
  expect(scenarios.map(({ id, outcome }) => [id, outcome])).toEqual(
    EXPIRIES.map((id) => [id, 'pass']),
  )
  expect(code).toBe(0)
  const notes = entries.flatMap((entry) => (entry.lane === 'note' ? [entry.text] : []))
  expect(notes.filter((text) => text.startsWith('waiting for')).toSorted()).toEqual(
    [3, 4, 5].map((seconds) => `waiting for ${seconds} s`),
  )
})

test('with lifetimes of minutes, the scenarios are not applicable, with the reason', {
  timeout: 300_000,
}, async () => {
  const { scenarios } = await runCommand('reference/assay.target.yaml')
  expect(scenarios.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    [
      'not-applicable',
      'the challenge of an attestation lives for 1800 s, and a scenario waits for at most 45 s',
    ],
    [
      'not-applicable',
      'the challenge of a session lives for 60 s, and a scenario waits for at most 45 s',
    ],
    ['not-applicable', 'a token lives for 180 s, and a scenario waits for at most 45 s'],
  ])
})

test('with a quote interval of two seconds, an agent is locked out and reactivated on the wire', {
  timeout: 300_000,
}, async () => {
  const out = freshOut()
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const target = ['--target', 'reference/short-interval.target.yaml', '--out', out]
  const { code } = await runAssay(['run', '--slow', ...target, '--only', 'push.lockout.*'])
  const outcomes = readResult(out)
    .scenarios.filter(({ id }) => id.startsWith('push.lockout.'))
    .map(({ outcome }) => outcome)
  expect(outcomes).toEqual(Array(8).fill('pass'))
  expect(code).toBe(0)
})
