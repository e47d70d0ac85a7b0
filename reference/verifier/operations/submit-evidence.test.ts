import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import {
  AGENT,
  type AttestationDocument,
  attest,
  begin,
  enrol,
  evidence,
  evidenceFor,
  readAgent,
  readAttestation,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { timestamp } from '../../platform/clock.ts'

async function begun(): Promise<{ verifier: TestVerifier; attestation: AttestationDocument }> {
  const verifier = await testVerifier()
  await enrol(verifier)
  return { verifier, attestation: await begin(verifier) }
}

function submit(verifier: TestVerifier, index: string, body: unknown) {
  return verifier.ask('submit-evidence', { agent_id: AGENT, index }, body)
}

test('evidence is answered with 202 before it is evaluated', async () => {
  const { verifier, attestation } = await begun()
  verifier.clock.pass(3)
  const answer = await submit(verifier, 'latest', evidenceFor(attestation))
  expect([answer.status, answer.headers]).toEqual([202, { location: attestation.links.self }])
  expect(answer.body).toMatchObject({
    data: {
      id: '0',
      attributes: {
        stage: 'evaluating_evidence',
        evaluation: 'pending',
        failure_reason: null,
        evidence_received_at: timestamp(verifier.clock.now()),
        verification_completed_at: null,
      },
      links: attestation.links,
    },
    meta: { seconds_to_next_attestation: 2 },
  })
})

test('the answer shows the evidence with the offered and chosen parameters, and no longer the request', async () => {
  const { verifier, attestation } = await begun()
  const request = evidenceFor(attestation)
  const { body } = await submit(verifier, '0', request)
  const { attributes } = (body as { data: AttestationDocument }).data
  const [requested] = attestation.attributes.evidence_requested ?? []
  const [collected] = request.data.attributes.evidence_collected as { data: unknown }[]
  expect(attributes.evidence_requested).toBeUndefined()
  expect(attributes.evidence).toEqual([
    { ...requested, capabilities: expect.any(Object), data: collected?.data },
  ])
})

test('good evidence passes, and its time is shown', async () => {
  const { verifier, attestation } = await begun()
  const answer = await submit(verifier, '0', evidenceFor(attestation))
  verifier.clock.pass(1)
  await verifier.finish(answer)
  expect((await readAttestation(verifier)).attributes).toMatchObject({
    stage: 'verification_complete',
    evaluation: 'pass',
    failure_reason: null,
    verification_completed_at: timestamp(verifier.clock.now()),
  })
})

test('evidence over another challenge breaks the chain', async () => {
  const { verifier, attestation } = await begun()
  const second = await begin(verifier)
  await verifier.finish(await submit(verifier, '1', evidenceFor(attestation)))
  expect(second.id).toBe('1')
  expect((await readAttestation(verifier)).attributes).toMatchObject({
    evaluation: 'fail',
    failure_reason: 'broken_evidence_chain',
  })
})

test('evidence against the policy is a violation', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { tpm_policy: JSON.stringify({ 0: ['00'.repeat(32)] }) })
  expect((await attest(verifier)).attributes).toMatchObject({
    evaluation: 'fail',
    failure_reason: 'policy_violation',
  })
})

test.each(['1', '00', '-1', '1e1', '0.0', ' 0', 'LATEST', '+0', '9'.repeat(400)])(
  'to the index %o nothing is sent when the latest is 0',
  async (index) => {
    const { verifier, attestation } = await begun()
    const refusal = await refusalOf(() => submit(verifier, index, evidenceFor(attestation)))
    expect(refusal).toMatchObject({ code: 'old_attestation', status: 403 })
    expect((await readAttestation(verifier)).attributes.stage).toBe('awaiting_evidence')
  },
)

test('an older attestation takes no evidence', async () => {
  const { verifier, attestation } = await begun()
  await begin(verifier)
  const refusal = await refusalOf(() => submit(verifier, '0', evidenceFor(attestation)))
  expect(refusal.code).toBe('old_attestation')
  expect((await readAttestation(verifier, '0')).attributes.stage).toBe('awaiting_evidence')
})

test('a second submission is refused with 403, and the first stays', async () => {
  const { verifier, attestation } = await begun()
  await submit(verifier, '0', evidenceFor(attestation))
  const before = await readAttestation(verifier)
  const again = evidenceFor(attestation, { signature: 'AAAA' })
  expect(await refusalOf(() => submit(verifier, '0', again))).toMatchObject({
    code: 'evidence_immutable',
    status: 403,
  })
  expect(await readAttestation(verifier)).toEqual(before)
})

test('a submission after the verdict is refused, and the verdict stays', async () => {
  const { verifier, attestation } = await begun()
  await verifier.finish(await submit(verifier, '0', evidenceFor(attestation)))
  const again = () => submit(verifier, '0', evidenceFor(attestation))
  expect((await refusalOf(again)).code).toBe('evidence_immutable')
  expect((await readAttestation(verifier)).attributes.evaluation).toBe('pass')
})

test('of simultaneous submissions one is accepted, and evaluated once', async () => {
  const { verifier, attestation } = await begun()
  const send = () => submit(verifier, '0', evidenceFor(attestation))
  const outcomes = await Promise.allSettled([send(), send(), send()])
  const taken = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  )
  for (const answer of taken) await verifier.finish(answer)
  expect(taken).toHaveLength(1)
  expect((await readAgent(verifier))['attestation_count']).toBe(1)
})

test('at the end of its challenge evidence is too late, a second before it is not', async () => {
  const { verifier, attestation } = await begun()
  verifier.clock.pass(1800)
  const late = () => submit(verifier, '0', evidenceFor(attestation))
  expect(await refusalOf(late)).toMatchObject({ code: 'challenges_expired', status: 403 })
  verifier.clock.pass(-1)
  expect((await late()).status).toBe(202)
})

test.each<[string, unknown, string]>([
  ['no body', undefined, ''],
  ['another type', { data: { type: 'session', attributes: {} } }, '/data/type'],
  ['no evidence', evidence([]), '/data/attributes/evidence_collected'],
  [
    'an item without data',
    evidence([{ evidence_class: 'certification', evidence_type: 'tpm_quote' }]),
    '/data/attributes/evidence_collected/0/data',
  ],
])('%s is refused with 422, and may be sent rightly', async (_, body, pointer) => {
  const { verifier, attestation } = await begun()
  expect(await refusalOf(() => submit(verifier, '0', body))).toMatchObject({
    code: 'invalid_resource_data',
    status: 422,
    pointer,
  })
  expect((await submit(verifier, '0', evidenceFor(attestation))).status).toBe(202)
})

test('an agent without attestations, and an agent unknown, are 404', async () => {
  const verifier = await testVerifier()
  const send = () => submit(verifier, 'latest', evidence([{}]))
  expect((await refusalOf(send)).message).toContain('No enrolled agent')
  await enrol(verifier)
  expect((await refusalOf(send)).message).toContain('No such attestation')
})
