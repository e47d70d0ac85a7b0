import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import {
  AGENT,
  completeSession,
  enrol,
  openSession,
  proofFor,
  tokenOf,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { authenticateToken } from './session/token.ts'

const OTHER_KEY = { ak_tpm: toBase64(recorded('ak_rsa.tpm2b_public')) }

async function enrolled(): Promise<TestVerifier> {
  const verifier = await testVerifier()
  await enrol(verifier)
  return verifier
}

async function enrolAnew(verifier: TestVerifier, change = {}): Promise<void> {
  await verifier.ask('delete-agent', { agent_id: AGENT })
  await enrol(verifier, change)
}

test('a token ends with the deletion of its agent', async () => {
  const verifier = await enrolled()
  const token = await tokenOf(verifier)
  await verifier.ask('delete-agent', { agent_id: AGENT })
  expect(await authenticateToken(verifier, token)).toBeUndefined()
})

test.each([
  ['the same key', {}],
  ['another key', OTHER_KEY],
])('a token does not come back when its agent is enrolled anew with %s', async (_, change) => {
  const verifier = await enrolled()
  const token = await tokenOf(verifier)
  await enrolAnew(verifier, change)
  expect(await authenticateToken(verifier, token)).toBeUndefined()
})

test.each([
  ['the same key', {}],
  ['another key', OTHER_KEY],
])('a session from before an enrolment with %s is not completed after it', async (_, change) => {
  const verifier = await enrolled()
  const session = await openSession(verifier)
  await enrolAnew(verifier, change)
  const { attributes } = await completeSession(verifier, session.id, proofFor(session))
  expect([attributes.evaluation, attributes.token]).toEqual(['fail', undefined])
})

test('a session that was opened before its agent was enrolled at all may be completed', async () => {
  const verifier = await testVerifier()
  const session = await openSession(verifier)
  await enrol(verifier)
  const { attributes } = await completeSession(verifier, session.id, proofFor(session))
  expect(attributes.evaluation).toBe('pass')
  expect(await authenticateToken(verifier, attributes.token ?? '')).toBe(AGENT)
})

test('an agent that is enrolled anew opens sessions anew', async () => {
  const verifier = await enrolled()
  await enrolAnew(verifier)
  expect(await authenticateToken(verifier, await tokenOf(verifier))).toBe(AGENT)
})
