import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import {
  AGENT,
  completeSession,
  enrol,
  openSession,
  proofFor,
  quoteData,
  readAgent,
  tokenOf,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { makeStubAttester } from '../../evidence/testing/stub-attester.ts'
import { timestamp } from '../../platform/clock.ts'
import { authenticateToken } from '../push/session/token.ts'

async function enrolled(): Promise<TestVerifier> {
  const verifier = await testVerifier()
  await enrol(verifier)
  return verifier
}

function ownerOf(verifier: TestVerifier, token = ''): Promise<string | undefined> {
  return authenticateToken(verifier, token)
}

test('a right proof is a token that lives for three minutes', async () => {
  const verifier = await enrolled()
  const session = await openSession(verifier)
  verifier.clock.pass(5)
  const { id, attributes } = await completeSession(verifier, session.id, proofFor(session))
  expect(id).toBe(session.id)
  expect(attributes).toMatchObject({
    agent_id: AGENT,
    evaluation: 'pass',
    token: expect.stringMatching(new RegExp(`^${id}\\.[A-Za-z0-9_-]{43}$`)),
    token_expires_at: timestamp(verifier.clock.now() + 180_000),
    created_at: session.attributes['created_at'],
    challenges_expire_at: session.attributes['challenges_expire_at'],
    response_received_at: timestamp(verifier.clock.now()),
  })
})

test('the answer repeats the proof with its challenge', async () => {
  const verifier = await enrolled()
  const session = await openSession(verifier)
  const data = proofFor(session)
  const { attributes } = await completeSession(verifier, session.id, data)
  const [requested] = session.attributes.authentication_requested ?? []
  expect(attributes['authentication']).toEqual([{ ...requested, data }])
})

test('a quote over the challenge is no proof: 200, fail, and no token', async () => {
  const verifier = await enrolled()
  const session = await openSession(verifier)
  const challenge =
    session.attributes.authentication_requested?.[0]?.chosen_parameters.challenge ?? ''
  const { message, signature } = quoteData(challenge)
  const { attributes } = await completeSession(verifier, session.id, { message, signature })
  expect(attributes.evaluation).toBe('fail')
  expect(Object.keys(attributes)).not.toEqual(expect.arrayContaining(['token']))
  expect(Object.keys(attributes)).not.toEqual(expect.arrayContaining(['token_expires_at']))
})

test('a proof for another session is no proof', async () => {
  const verifier = await enrolled()
  const other = await openSession(verifier)
  const session = await openSession(verifier)
  const { attributes } = await completeSession(verifier, session.id, proofFor(other))
  expect(attributes.evaluation).toBe('fail')
})

test('a right proof at the end of its challenge is too late, a second before it is not', async () => {
  for (const [seconds, evaluation] of [
    [59, 'pass'],
    [60, 'fail'],
  ] as const) {
    const verifier = await enrolled()
    const session = await openSession(verifier)
    verifier.clock.pass(seconds)
    const { attributes } = await completeSession(verifier, session.id, proofFor(session))
    expect(attributes.evaluation).toBe(evaluation)
  }
})

test('a right proof of an agent that is not enrolled is no proof', async () => {
  const verifier = await testVerifier()
  const session = await openSession(verifier)
  const { attributes } = await completeSession(verifier, session.id, proofFor(session))
  expect(attributes.evaluation).toBe('fail')
})

test('a session is unknown after its answer, right or wrong', async () => {
  for (const proofs of ['right', 'wrong']) {
    const verifier = await enrolled()
    const session = await openSession(verifier)
    const data = proofs === 'right' ? proofFor(session) : proofFor(await openSession(verifier))
    await completeSession(verifier, session.id, data)
    const again = () => completeSession(verifier, session.id, proofFor(session))
    expect(await refusalOf(again)).toMatchObject({ status: 404, message: 'Session not found' })
  }
})

test('of two right proofs at the same time one is a token', async () => {
  const verifier = await enrolled()
  const session = await openSession(verifier)
  const complete = () => completeSession(verifier, session.id, proofFor(session))
  const outcomes = await Promise.allSettled([complete(), complete()])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a session that was never opened is unknown', async () => {
  const verifier = await enrolled()
  const session = await openSession(verifier)
  const complete = () => completeSession(verifier, 'unknown', proofFor(session))
  expect(await refusalOf(complete)).toMatchObject({ code: 'not_found' })
})

test('a session is completed by the agent it was opened for', async () => {
  const verifier = await enrolled()
  const session = await openSession(verifier)
  const other = () => completeSession(verifier, session.id, proofFor(session), 'other')
  expect(await refusalOf(other)).toMatchObject({ status: 400, message: 'Agent ID mismatch' })
  const own = await completeSession(verifier, session.id, proofFor(session))
  expect(own.attributes.evaluation).toBe('pass')
})

test.each(['message', 'signature'])(
  'a %s that is not base64 is refused, and may be sent again',
  async (member) => {
    const verifier = await enrolled()
    const session = await openSession(verifier)
    const right = proofFor(session)
    const complete = () => completeSession(verifier, session.id, { ...right, [member]: 'AA=A' })
    expect(await refusalOf(complete)).toMatchObject({
      status: 400,
      pointer: '/data/attributes/authentication_provided/0/data',
    })
    expect((await completeSession(verifier, session.id, right)).attributes.evaluation).toBe('pass')
  },
)

test('a failed proof leaves the token of an agent alone', async () => {
  const verifier = await enrolled()
  const token = await tokenOf(verifier)
  const session = await openSession(verifier)
  await completeSession(verifier, session.id, { message: 'AAAA', signature: 'AAAA' })
  expect(await ownerOf(verifier, token)).toBe(AGENT)
})

test('a proof whose agent is deleted before its token fails', async () => {
  const verifier = await enrolled()
  const session = await openSession(verifier)
  const { grant } = verifier.store.sessions
  Object.assign(verifier.store.sessions, {
    grant: async (...args: Parameters<typeof grant>) => {
      await verifier.store.agents.remove(AGENT)
      return grant(...args)
    },
  })
  const { attributes } = await completeSession(verifier, session.id, proofFor(session))
  expect([attributes.evaluation, attributes.token]).toEqual(['fail', undefined])
})

test.each([
  ['2.4', ['ecc'], 'pass'],
  ['2.4', ['rsa'], 'fail'],
  ['2.5', ['ecc'], 'fail'],
  ['2.5', ['ecc384'], 'pass'],
] as const)('under %s a key on P-384 where %j is accepted: %s', async (version, accepted, ends) => {
  const verifier = await testVerifier({ version })
  const by = makeStubAttester('P-384')
  const ak_tpm = toBase64(by.tpm2bPublic)
  await enrol(verifier, { ak_tpm, accept_tpm_encryption_algs: accepted })
  const session = await openSession(verifier)
  const { attributes } = await completeSession(verifier, session.id, proofFor(session, by))
  expect(attributes.evaluation).toBe(ends)
  expect(await readAgent(verifier)).toMatchObject({ accept_tpm_encryption_algs: accepted })
})
