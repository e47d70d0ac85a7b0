import { expect, test } from 'vitest'
import {
  AGENT,
  agentRequest,
  attest,
  begin,
  enrol,
  evidenceFor,
  readAgent,
  readAttestation,
  tokenOf,
} from '../../dev/testing/verifier/push-requests.ts'
import {
  type TestVerifier,
  type TestVerifierOptions,
  testVerifier,
} from '../../dev/testing/verifier/test-verifier.ts'
import type { Evaluation } from '../../evidence/evaluate.ts'
import { timestamp } from '../../platform/clock.ts'

const PASS: Evaluation = { verdict: 'pass', findings: [] }
const FAIL: Evaluation = { verdict: 'fail', failureReason: 'policy_violation', findings: [] }

async function enrolled(
  options: TestVerifierOptions = {},
  change: Record<string, unknown> = {},
): Promise<TestVerifier> {
  const verifier = await testVerifier(options)
  await enrol(verifier, change)
  return verifier
}

/** Begins an attestation and submits its evidence, which is not evaluated yet. */
async function submit(verifier: TestVerifier) {
  const begun = await begin(verifier)
  return verifier.ask('submit-evidence', { agent_id: AGENT, index: begun.id }, evidenceFor(begun))
}

async function enrolAgain(verifier: TestVerifier): Promise<void> {
  await verifier.ask('delete-agent', { agent_id: AGENT })
  await verifier.ask('add-agent', { agent_id: AGENT }, agentRequest())
}

test('evidence that cannot be evaluated fails, and the fault is in the log', async () => {
  const verifier = await enrolled({
    evaluate: () => {
      throw new TypeError('a fault of ours')
    },
  })
  const { attributes } = await attest(verifier)
  expect(attributes).toMatchObject({
    stage: 'verification_complete',
    evaluation: 'fail',
    failure_reason: 'broken_evidence_chain',
  })
  expect(verifier.logged()).toContain('a fault of ours')
  expect(verifier.logged()).toContain('internal.verifier.exception')
})

test('a fault in one evaluation does not end the queue', async () => {
  const outcomes = [
    () => {
      throw new Error('once')
    },
    () => PASS,
  ]
  const verifier = await enrolled({ evaluate: () => outcomes.shift()?.() ?? PASS })
  await attest(verifier)
  expect((await attest(verifier)).attributes.evaluation).toBe('pass')
})

test('evidence whose outcome could not be stored is evaluated again, before later evidence', async () => {
  const verifier = await enrolled({ evaluate: () => PASS })
  const { conclude } = verifier.store.attestations
  Object.assign(verifier.store.attestations, {
    conclude: () => Promise.reject(new Error('disk full')),
  })
  expect((await attest(verifier)).attributes.stage).toBe('evaluating_evidence')
  Object.assign(verifier.store.attestations, { conclude })
  expect((await attest(verifier)).attributes.evaluation).toBe('pass')
  expect((await readAttestation(verifier, '0')).attributes.evaluation).toBe('pass')
  expect(verifier.logged()).toContain('disk full')
})

test('evidence that an earlier process left is evaluated after a restart', async () => {
  const verifier = await enrolled()
  await submit(verifier)
  expect((await readAttestation(verifier)).attributes.stage).toBe('evaluating_evidence')
  const evaluations = verifier.restarted()
  evaluations.wake()
  await evaluations.drained()
  expect((await readAttestation(verifier)).attributes.evaluation).toBe('pass')
})

test('evidence claimed by a process that ended is evaluated once the claim expires, and not before', async () => {
  const verifier = await enrolled()
  await submit(verifier)
  const claim = { owner: 'dead', now: verifier.clock.now(), until: verifier.clock.now() + 1000 }
  expect(await verifier.store.attestations.claim('evaluating_evidence', claim)).toBeDefined()
  const evaluations = verifier.restarted()
  for (const [seconds, evaluation] of [
    [0, 'pending'],
    [1, 'pass'],
  ] as const) {
    verifier.clock.pass(seconds)
    evaluations.wake()
    await evaluations.drained()
    expect((await readAttestation(verifier)).attributes.evaluation).toBe(evaluation)
  }
})

test('an evaluation in progress renews its claim, and no other process takes it', async () => {
  const verifier = await enrolled({ evaluate: () => PASS })
  await submit(verifier)
  const evaluations = verifier.restarted()
  const { find } = verifier.store.agents
  const taken: unknown[] = []
  Object.assign(verifier.store.agents, {
    async find(agentId: string) {
      for (const _ of [1, 2]) {
        verifier.clock.pass(20)
        await evaluations.renew()
      }
      const now = verifier.clock.now()
      const claim = { owner: 'other', now, until: Number.MAX_SAFE_INTEGER }
      taken.push(await verifier.store.attestations.claim('evaluating_evidence', claim))
      return find(agentId)
    },
  })
  evaluations.wake()
  await evaluations.drained()
  expect(taken).toEqual([undefined])
  expect((await readAttestation(verifier)).attributes.evaluation).toBe('pass')
})

test('a stopped queue finishes the running evaluations, and leaves the rest to the next', async () => {
  const evaluated: string[] = []
  const verifier = await enrolled({
    evaluate: () => {
      evaluated.push('one')
      return PASS
    },
  })
  await submit(verifier)
  await submit(verifier)
  const evaluations = verifier.restarted()
  evaluations.wake()
  await evaluations.stop()
  expect(evaluated).toHaveLength(1)
  expect((await readAttestation(verifier)).attributes.stage).toBe('evaluating_evidence')
})

test('a verdict of who lost the claim meanwhile is not recorded', async () => {
  const verifier = await enrolled({ evaluate: () => PASS })
  const answer = await submit(verifier)
  const { find } = verifier.store.agents
  Object.assign(verifier.store.agents, {
    async find(agentId: string) {
      await verifier.store.attestations.releaseOf('first')
      const claim = { owner: 'other', now: verifier.clock.now(), until: Number.MAX_SAFE_INTEGER }
      await verifier.store.attestations.claim('evaluating_evidence', claim)
      return find(agentId)
    },
  })
  await verifier.finish(answer)
  expect((await readAttestation(verifier)).attributes.stage).toBe('evaluating_evidence')
})

test('an attestation that two processes evaluate is counted once', async () => {
  const verifier = await enrolled()
  const answer = await submit(verifier)
  const evaluations = verifier.restarted()
  evaluations.wake()
  await Promise.all([evaluations.drained(), verifier.finish(answer)])
  expect((await readAgent(verifier))['attestation_count']).toBe(1)
})

test('nothing is recorded for an agent that was deleted before its evaluation', async () => {
  let evaluated = 0
  const verifier = await enrolled({
    evaluate: () => {
      evaluated += 1
      return PASS
    },
  })
  const answer = await submit(verifier)
  await verifier.ask('delete-agent', { agent_id: AGENT })
  await verifier.finish(answer)
  expect(evaluated).toBe(0)
  expect(await verifier.store.agents.find(AGENT)).toBeUndefined()
})

test('evidence of an earlier enrolment is not evaluated for a later one', async () => {
  const verifier = await enrolled()
  const answer = await submit(verifier)
  await enrolAgain(verifier)
  await begin(verifier)
  await verifier.finish(answer)
  expect(verifier.logged()).toBe('')
  expect((await readAttestation(verifier)).attributes.stage).toBe('awaiting_evidence')
  expect((await readAgent(verifier))['attestation_status']).toBe('PENDING')
})

test('a verdict on evidence of an earlier enrolment is not recorded on a later one at the same stage', async () => {
  const verdicts: Evaluation[] = [FAIL, PASS]
  const verifier = await enrolled({ evaluate: () => verdicts.shift() ?? FAIL })
  const answer = await submit(verifier)
  const { find } = verifier.store.agents
  let interrupted = false
  Object.assign(verifier.store.agents, {
    async find(agentId: string) {
      const agent = await find(agentId)
      if (interrupted) return agent
      interrupted = true
      await enrolAgain(verifier)
      await submit(verifier)
      return agent
    },
  })
  await verifier.finish(answer)
  expect(interrupted).toBe(true)
  expect((await readAttestation(verifier, '0')).attributes.evaluation).toBe('pass')
  expect((await readAgent(verifier))['attestation_status']).toBe('PASS')
  expect(verdicts).toEqual([])
})

test('a failure is not forgotten by a later pass', async () => {
  const verdicts: Evaluation[] = [FAIL, PASS]
  const verifier = await enrolled({ evaluate: () => verdicts.shift() ?? PASS })
  await attest(verifier)
  await attest(verifier)
  expect(await readAgent(verifier)).toMatchObject({
    attestation_status: 'FAIL',
    attestation_count: 1,
  })
})

test('findings are in the log with agent and index', async () => {
  const verifier = await enrolled({}, { tpm_policy: JSON.stringify({ 0: ['00'.repeat(32)] }) })
  await attest(verifier)
  expect(verifier.logged()).toContain(
    `"agent_id":"${AGENT}","index":0,"finding":"pcr_validation.invalid_pcr_0"`,
  )
})

async function tokenExpiry(verifier: TestVerifier, token: string): Promise<string> {
  const [id = ''] = token.split('.')
  return timestamp((await verifier.store.sessions.find(id))?.token_expires_at ?? 0)
}

test('a pass extends the token, a failure does not', async () => {
  for (const verdict of ['pass', 'fail'] as const) {
    const verifier = await enrolled({ evaluate: () => ({ verdict, findings: [] }) })
    const token = await tokenOf(verifier)
    const before = await tokenExpiry(verifier, token)
    verifier.clock.pass(10)
    await attest(verifier)
    const extended = timestamp(verifier.clock.now() + 180_000)
    expect(await tokenExpiry(verifier, token)).toBe(verdict === 'pass' ? extended : before)
  }
})
