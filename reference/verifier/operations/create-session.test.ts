import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import {
  AGENT,
  enrol,
  openSession,
  sessionRequest,
  tokenOf,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { timestamp } from '../../platform/clock.ts'
import { authenticateToken } from '../push/session/token.ts'

async function enrolled(settings: readonly string[] = []): Promise<TestVerifier> {
  const verifier = await testVerifier({ settings })
  await enrol(verifier)
  return verifier
}

function ownerOf(verifier: TestVerifier, token = ''): Promise<string | undefined> {
  return authenticateToken(verifier, token)
}

test('a session begins with a challenge of 16 bytes that lives for a minute', async () => {
  const verifier = await enrolled()
  const { id, attributes } = await openSession(verifier)
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(attributes).toEqual({
    agent_id: AGENT,
    authentication_requested: [
      {
        authentication_class: 'pop',
        authentication_type: 'tpm_pop',
        chosen_parameters: { challenge: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/) },
      },
    ],
    created_at: timestamp(verifier.clock.now()),
    challenges_expire_at: timestamp(verifier.clock.now() + 60_000),
  })
})

test('no two challenges are alike', async () => {
  const verifier = await enrolled()
  const sessions = [await openSession(verifier), await openSession(verifier)]
  const challenges = sessions.map(({ attributes }) =>
    JSON.stringify(attributes.authentication_requested),
  )
  expect(new Set(challenges).size).toBe(2)
})

test('an unknown agent is given a challenge that looks like any other', async () => {
  const verifier = await enrolled()
  const known = await openSession(verifier)
  const unknown = await openSession(verifier, 'stranger')
  expect(Object.keys(unknown.attributes)).toEqual(Object.keys(known.attributes))
})

test.each<[string, unknown, string]>([
  ['no body', undefined, ''],
  ['no data', {}, '/data'],
  ['data as list', { data: [] }, '/data'],
  ['another type', { data: { type: 'attestation', attributes: {} } }, '/data/type'],
  ['no agent', { data: { type: 'session', attributes: {} } }, '/data/attributes/agent_id'],
  ['an agent as number', sessionRequest(7), '/data/attributes/agent_id'],
  ['an empty agent', sessionRequest(''), '/data/attributes/agent_id'],
  ['an agent with a newline', sessionRequest('a\nb'), '/data/attributes/agent_id'],
])('a session with %s is refused at its member', async (_, body, pointer) => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('create-session', {}, body))
  expect(refusal).toMatchObject({ status: 400, pointer })
})

test.each(['pop', 'x'])(
  'a session without pop/tpm_pop is refused',
  async (authentication_class) => {
    const verifier = await testVerifier()
    const authentication_supported = [{ authentication_class, authentication_type: 'x' }]
    const body = {
      data: { type: 'session', attributes: { agent_id: AGENT, authentication_supported } },
    }
    expect(await refusalOf(() => verifier.ask('create-session', {}, body))).toMatchObject({
      status: 400,
      pointer: '/data/attributes/authentication_supported',
    })
  },
)

test('a thousand sessions opened by another client leave the token of the agent valid', async () => {
  const verifier = await enrolled()
  const token = await tokenOf(verifier)
  for (let count = 0; count < 1000; count++) await openSession(verifier)
  expect(await ownerOf(verifier, token)).toBe(AGENT)
})

test('challenges that have expired are not kept, live ones and tokens are', async () => {
  const verifier = await enrolled()
  const token = await tokenOf(verifier)
  const old = await openSession(verifier)
  verifier.clock.pass(59)
  const live = await openSession(verifier)
  verifier.clock.pass(1)
  await openSession(verifier)
  expect(verifier.openSessions.find(old.id)).toBeUndefined()
  expect(verifier.openSessions.find(live.id)).toMatchObject({ agent_id: AGENT })
  expect(await ownerOf(verifier, token)).toBe(AGENT)
})

test('a list of methods may be one object, as its brackets may be read', async () => {
  const verifier = await enrolled()
  const [authentication_supported] = sessionRequest().data.attributes.authentication_supported
  const body = {
    data: { type: 'session', attributes: { agent_id: AGENT, authentication_supported } },
  }
  const reply = await verifier.ask('create-session', {}, body)
  expect(reply.body).toHaveProperty('data.attributes.authentication_requested.0')
})

test('what strangers open is bounded, for an agent and in all, and takes no token', async () => {
  const verifier = await enrolled(['open_sessions=50', 'open_sessions_per_agent=20'])
  const token = await tokenOf(verifier)
  const first = await openSession(verifier, 'bystander')
  for (let count = 0; count < 200; count++) await openSession(verifier)
  expect(verifier.openSessions.size).toBe(21)
  expect(verifier.openSessions.find(first.id)).toBeDefined()
  for (let count = 0; count < 200; count++) await openSession(verifier, `stranger-${count}`)
  expect(verifier.openSessions.size).toBe(50)
  expect(await ownerOf(verifier, token)).toBe(AGENT)
})
