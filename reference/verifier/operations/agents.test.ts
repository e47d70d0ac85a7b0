import { expect, test, vi } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import {
  AGENT,
  agentRequest,
  attest,
  begin,
  enrol,
  evidenceFor,
  readAgent,
  tokenOf,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { authenticateToken } from '../push/session/token.ts'

const PARAMS = { agent_id: AGENT }

function ownerOf(verifier: TestVerifier, token: string): Promise<string | undefined> {
  return authenticateToken(verifier, token)
}

test.each(['read-agent', 'delete-agent'] as const)(
  '%s of an unknown agent is 404',
  async (operation) => {
    const verifier = await testVerifier()
    expect(await refusalOf(() => verifier.ask(operation, PARAMS))).toMatchObject({ status: 404 })
  },
)

test('an agent is deleted once', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  expect(await verifier.ask('delete-agent', PARAMS)).toEqual({})
  expect(await refusalOf(() => verifier.ask('delete-agent', PARAMS))).toMatchObject({ status: 404 })
})

test('a late second deletion does not delete an agent that was added again since', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  vi.spyOn(verifier.polls, 'end').mockImplementationOnce(async () => {
    await verifier.ask('delete-agent', PARAMS)
    await enrol(verifier)
  })
  expect(await refusalOf(() => verifier.ask('delete-agent', PARAMS))).toMatchObject({ status: 404 })
  expect(await readAgent(verifier)).toMatchObject({ attestation_status: 'PENDING' })
})

test('the token of a deleted agent is dead, also when the agent comes back', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  const token = await tokenOf(verifier)
  expect(await ownerOf(verifier, token)).toBe(AGENT)
  await verifier.ask('delete-agent', PARAMS)
  expect(await ownerOf(verifier, token)).toBeUndefined()
  await enrol(verifier)
  expect(await ownerOf(verifier, token)).toBeUndefined()
})

test('the private policy of a deleted agent goes with it', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { runtime_policy: toBase64(Buffer.from(RUNTIME_POLICY)) })
  await verifier.ask('delete-agent', PARAMS)
  expect(await verifier.store.policies.names()).toEqual([])
})

test('the attestations of a deleted agent are gone, and indexes start again', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  await begin(verifier)
  expect((await begin(verifier)).id).toBe('1')
  await verifier.ask('delete-agent', PARAMS)
  await verifier.ask('add-agent', PARAMS, agentRequest())
  expect((await begin(verifier)).id).toBe('0')
})

test('a passed attestation is counted, and its time and algorithms are shown', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  await attest(verifier)
  const seconds = Math.floor(verifier.clock.now() / 1000)
  expect(await readAgent(verifier)).toMatchObject({
    attestation_status: 'PASS',
    attestation_count: 1,
    last_received_quote: seconds,
    last_successful_attestation: seconds,
    hash_alg: 'sha256',
    sign_alg: 'ecdsa',
  })
})

test('a failed attestation is shown, and not counted', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { tpm_policy: JSON.stringify({ 0: ['00'.repeat(32)] }) })
  await attest(verifier)
  expect(await readAgent(verifier)).toMatchObject({
    attestation_status: 'FAIL',
    attestation_count: 0,
    last_received_quote: Math.floor(verifier.clock.now() / 1000),
    last_successful_attestation: 0,
  })
})

test.each(['stop-agent', 'reactivate-agent'] as const)(
  '%s of an unknown agent is 404',
  async (operation) => {
    const verifier = await testVerifier()
    expect(await refusalOf(() => verifier.ask(operation, PARAMS))).toMatchObject({ status: 404 })
  },
)

test('a stopped agent has failed even if it passed before, and stopping it again changes nothing', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  await attest(verifier)
  for (const _ of [1, 2]) expect(await verifier.ask('stop-agent', PARAMS)).toEqual({})
  expect(await readAgent(verifier)).toMatchObject({
    operational_state: 10,
    attestation_status: 'FAIL',
    attestation_count: 1,
  })
})

test('no attestation of a stopped agent is begun or ended', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  const begun = await begin(verifier)
  await verifier.ask('stop-agent', PARAMS)
  const params = { ...PARAMS, index: begun.id }
  const disabled = { status: 403, code: 'agent_attestations_disabled' }
  expect(await refusalOf(() => begin(verifier))).toMatchObject(disabled)
  const submit = () => verifier.ask('submit-evidence', params, evidenceFor(begun))
  expect(await refusalOf(submit)).toMatchObject(disabled)
  await verifier.ask('reactivate-agent', PARAMS)
  expect(await submit()).toMatchObject({ status: 202 })
})

test('evidence that was under way when its agent was stopped does not start it again', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  const begun = await begin(verifier)
  const params = { ...PARAMS, index: begun.id }
  const answer = await verifier.ask('submit-evidence', params, evidenceFor(begun))
  await verifier.ask('stop-agent', PARAMS)
  await verifier.finish(answer)
  expect(await readAgent(verifier)).toMatchObject({
    operational_state: 10,
    attestation_status: 'FAIL',
    attestation_count: 1,
  })
})

test.each(['stop-agent', undefined] as const)(
  'an agent that failed is started again after %s: it has to prove itself anew',
  async (before) => {
    const verifier = await testVerifier()
    await enrol(verifier)
    await verifier.store.agents.change(AGENT, () => ({ attestation_count: 1, failures: 2 }))
    if (before) await verifier.ask(before, PARAMS)
    expect(await verifier.ask('reactivate-agent', PARAMS)).toEqual({})
    const started = { operational_state: 3, attestation_status: 'PENDING', attestation_count: 1 }
    expect(await readAgent(verifier)).toMatchObject(started)
    await attest(verifier)
    const proven = { attestation_status: 'PASS', attestation_count: 2 }
    expect(await readAgent(verifier)).toMatchObject(proven)
  },
)
