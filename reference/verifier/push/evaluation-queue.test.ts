import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { RUNTIME_POLICY, runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import {
  AGENT,
  agentRequest,
  attest,
  begin,
  capabilities,
  enrol,
  evidenceFor,
  logOffer,
  quoteOffer,
  readAgent,
  readAttestation,
  tokenOf,
} from '../../dev/testing/verifier/push-requests.ts'
import {
  type TestVerifier,
  type TestVerifierOptions,
  testVerifier,
} from '../../dev/testing/verifier/test-verifier.ts'
import type { Evaluation, EvidenceCase } from '../../evidence/evaluate.ts'
import { timestamp } from '../../platform/clock.ts'

const PASS: Evaluation = { verdict: 'pass', findings: [] }
const FAIL: Evaluation = { verdict: 'fail', failureReason: 'policy_violation', findings: [] }
const LOGS = [quoteOffer(), logOffer('ima_log')]

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

const WITH_POLICY = { runtime_policy: toBase64(Buffer.from(RUNTIME_POLICY)) }

/** A certified list in which every entry has two lines. */
function certified(entriesCertified: number, carried: Readonly<Record<string, string>>) {
  const linesCertified = 2 * entriesCertified
  return { entriesCertified, linesCertified, entries: entriesCertified, carried, rules: {} }
}

/** A verifier whose evaluations certify `entries` each, and the cases it was given. */
async function certifying(entries: readonly number[]) {
  const cases: EvidenceCase[] = []
  const evaluate = (evidence: EvidenceCase): Evaluation => {
    cases.push(evidence)
    const entriesCertified = entries[cases.length - 1] ?? 0
    const carried = { sha256: `pcr after case ${cases.length - 1}` }
    const clock = { clock: BigInt(cases.length), resetCount: 1, restartCount: 0 }
    return { ...PASS, clock, ima: certified(entriesCertified, carried) }
  }
  return { verifier: await enrolled({ evaluate }, WITH_POLICY), cases }
}

function offsets(cases: readonly EvidenceCase[]) {
  return cases.map(({ ima }) => [ima?.startingOffset, ima?.carried])
}

test('of one boot each list starts where the last one ended, with the PCR it ended in', async () => {
  const { verifier, cases } = await certifying([5, 3, 0])
  for (let count = 0; count < 3; count++) await attest(verifier, capabilities(LOGS))
  expect(offsets(cases)).toEqual([
    [0, undefined],
    [5, { sha256: 'pcr after case 0' }],
    [8, { sha256: 'pcr after case 1' }],
  ])
})

test('keys that a list taught are used for its continuation only', async () => {
  const learned = [{ keyring: '.ima', algorithm: 'sha256', digest: 'ab', buffer: 'AAAA' }]
  const cases: EvidenceCase[] = []
  const evaluate = (evidence: EvidenceCase): Evaluation => {
    cases.push(evidence)
    return { ...PASS, ima: { ...certified(5, {}), learned } }
  }
  const verifier = await enrolled({ evaluate }, WITH_POLICY)
  await attest(verifier, capabilities(LOGS))
  await attest(verifier, capabilities(LOGS))
  await attest(verifier, capabilities(LOGS, { boot_time: '2026-02-02T00:00:00Z' }))
  expect(cases.map(({ ima }) => ima?.learned)).toEqual([undefined, learned, undefined])
})

test('a text list with names of several lines begins anew each time', async () => {
  const { verifier, cases } = await certifying([5, 3, 0])
  const offers = [quoteOffer(), logOffer('ima_log', { formats: ['text/plain'] })]
  for (let count = 0; count < 3; count++) await attest(verifier, capabilities(offers))
  expect(cases.map(({ ima }) => ima?.startingOffset)).toEqual([0, 0, 0])
})

test.each([
  ['another boot time', { boot_time: '2026-01-01T00:00:01Z' }, 0],
  ['no boot time', {}, 0],
  ['the same instant in another zone', { boot_time: '2026-01-01T01:00:00+01:00' }, 5],
  ['the same instant without a zone', { boot_time: '2026-01-01T00:00:00' }, 5],
])('after a pass, %s starts the next list at its place', async (_, system_info, offset) => {
  const { verifier, cases } = await certifying([5, 0])
  await attest(verifier, capabilities(LOGS))
  await attest(verifier, capabilities(LOGS, system_info))
  expect(cases[1]?.ima?.startingOffset).toBe(offset)
})

test('an attestation that began before the last verdict is evaluated from its requested start', async () => {
  const { verifier, cases } = await certifying([5, 3, 4, 0])
  await attest(verifier, capabilities(LOGS))
  const second = await begin(verifier, capabilities(LOGS))
  const params = { agent_id: AGENT, index: second.id }
  const pending = await verifier.ask('submit-evidence', params, evidenceFor(second))
  const third = await begin(verifier, capabilities(LOGS))
  await verifier.finish(pending)
  await verifier.finish(
    await verifier.ask('submit-evidence', { ...params, index: third.id }, evidenceFor(third)),
  )
  expect(offsets(cases).slice(1)).toEqual([
    [5, { sha256: 'pcr after case 0' }],
    [5, { sha256: 'pcr after case 0' }],
  ])
  await attest(verifier, capabilities(LOGS))
  expect(offsets(cases)[3]).toEqual([9, { sha256: 'pcr after case 2' }])
})

/** Gives the policy of the agent another text. */
async function replacePolicy(verifier: TestVerifier, path: string): Promise<void> {
  const runtime_policy = toBase64(Buffer.from(runtimePolicy({ [path]: ['ab'.repeat(32)] })))
  await verifier.ask('replace-runtime-policy', { name: AGENT }, { runtime_policy })
}

test('what one policy certified is judged again by another, also after a reactivation', async () => {
  const { verifier, cases } = await certifying([5, 3, 6, 0, 7])
  const run = () => attest(verifier, capabilities(LOGS))
  await run()
  await replacePolicy(verifier, '/bin/one')
  await run()
  await run()
  await replacePolicy(verifier, '/bin/two')
  await verifier.ask('stop-agent', { agent_id: AGENT })
  await verifier.ask('reactivate-agent', { agent_id: AGENT })
  await run()
  await replacePolicy(verifier, '/bin/one')
  await run()
  expect(cases.map(({ ima }) => ima?.startingOffset)).toEqual([0, 0, 3, 0, 0])
})

test('a policy that is replaced between challenge and evidence finds no list, and ends what was carried over', async () => {
  const { verifier, cases } = await certifying([5, 3, 0])
  await attest(verifier, capabilities(LOGS))
  const second = await begin(verifier, capabilities(LOGS))
  await replacePolicy(verifier, '/bin/one')
  const params = { agent_id: AGENT, index: second.id }
  await verifier.finish(await verifier.ask('submit-evidence', params, evidenceFor(second)))
  await attest(verifier, capabilities(LOGS))
  expect(cases.map(({ ima }) => ima?.startingOffset)).toEqual([0, undefined, 0])
  expect(
    cases.map(({ runtimePolicy }) => runtimePolicy?.allows('/bin/one', 'ab'.repeat(32))),
  ).toEqual([...[false, true, true]])
})

test('after a failure the list starts at 0, and the clock is not forgotten', async () => {
  const cases: EvidenceCase[] = []
  const evaluate = (evidence: EvidenceCase): Evaluation => {
    cases.push(evidence)
    if (cases.length === 2) return { verdict: 'fail', findings: [] }
    const clock = { clock: 2n ** 63n, resetCount: 1, restartCount: 0 }
    return { ...PASS, clock, ima: certified(5, {}) }
  }
  const verifier = await enrolled({ evaluate }, WITH_POLICY)
  for (let count = 0; count < 3; count++) await attest(verifier, capabilities(LOGS))
  expect(cases.map(({ ima }) => ima?.startingOffset)).toEqual([0, 5, 0])
  expect(cases[2]?.previousClock).toEqual({ clock: 2n ** 63n, resetCount: 1, restartCount: 0 })
})
