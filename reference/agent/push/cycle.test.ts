import { expect, test } from 'vitest'
import { NoAnswer } from '../../http-client/json-client.ts'
import { begun, CHALLENGE, granted, session, TOKEN, taken } from './testing/push-answers.ts'
import { AGENT, type Call, reply, testEnvironment } from './testing/push-environment.ts'
import { asked, callsOf, run } from './testing/run-cycles.ts'

test('it registers, opens a session, and then attests in cycles of two requests', async () => {
  const scene = testEnvironment()
  await run(scene, 2)
  expect(callsOf(scene)).toEqual([
    ...['version', 'register', 'activate', 'session', 'proof'],
    ...['capabilities', 'evidence', 'capabilities', 'evidence'],
  ])
  expect(scene.clock.waits).toEqual([10_000])
})

test('its token goes to attestation requests only', async () => {
  const scene = testEnvironment()
  await run(scene)
  const shown = scene.asked.filter(({ headers }) => headers?.['authorization'] !== undefined)
  expect(shown.map(({ call }) => call)).toEqual(['capabilities', 'evidence'])
  expect(shown.map(({ headers }) => headers?.['authorization'])).toEqual(
    Array.from({ length: 2 }, () => `Bearer ${TOKEN}`),
  )
})

test('no step reveals the token or the challenge, also after a failure', async () => {
  const scene = testEnvironment()
  scene.answers('capabilities', reply(403, { token: TOKEN }), new NoAnswer('ECONNRESET'))
  const output = JSON.stringify(await run(scene))
  expect(output).not.toContain(TOKEN)
  expect(output).not.toContain(CHALLENGE)
})

test('a token is renewed before it expires', async () => {
  const scene = testEnvironment()
  scene.answers('evidence', reply(202, taken(100)), reply(202, taken(60)))
  await run(scene, 3)
  expect(callsOf(scene).slice(5)).toEqual([
    ...['capabilities', 'evidence', 'capabilities', 'evidence'],
    ...['session', 'proof', 'capabilities', 'evidence'],
  ])
})

test.each([-3600, 0, 3600])('the clock of the verifier may be %i seconds off', async (seconds) => {
  const at = (plus: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, 5) + (seconds + plus) * 1000)
  const life = {
    response_received_at: at(0).toISOString(),
    token_expires_at: at(180).toISOString(),
  }
  const challenge = {
    capabilities_received_at: at(0).toISOString(),
    challenges_expire_at: at(30).toISOString(),
  }
  const scene = testEnvironment()
  scene.answers('proof', reply(200, granted(life)))
  scene.answers('capabilities', reply(201, begun(undefined, challenge)))
  await run(scene, 2)
  expect(callsOf(scene).filter((call) => call === 'session')).toHaveLength(1)
  expect(scene.clock.waits).toEqual([10_000])
})

test('a token that the verifier does not take any more is not shown again', async () => {
  const scene = testEnvironment()
  scene.answers('capabilities', reply(401, {}))
  const steps = await run(scene)
  expect(callsOf(scene).slice(3)).toEqual([
    ...['session', 'proof', 'capabilities'],
    ...['session', 'proof', 'capabilities', 'evidence'],
  ])
  expect(steps.find(({ event }) => event === 'unauthorized')).toMatchObject({ failures: 1 })
})

test('waits double with every failure in a row up to the longest, and begin anew after accepted evidence', async () => {
  const scene = testEnvironment()
  const busy = Array.from({ length: 6 }, () => reply(500, {}))
  scene.answers('evidence', ...busy, reply(202, taken()), reply(500, {}))
  await run(scene, 2)
  const nominal = [1000, 2000, 4000, 8000, 16_000, 16_000]
  const fractions = nominal.map((milliseconds, at) => (scene.clock.waits[at] ?? 0) / milliseconds)
  expect(fractions.filter((fraction) => fraction < 0.75 || fraction > 1)).toEqual([])
  expect(scene.clock.waits.at(-1)).toBeLessThanOrEqual(1000)
})

test('Retry-After of 429 is how long it waits', async () => {
  const scene = testEnvironment()
  scene.answers('capabilities', reply(429, {}, { 'retry-after': '7' }))
  await run(scene)
  expect(scene.clock.waits).toEqual([7000])
})

test('evidence that failed is not sent again: there is another challenge first', async () => {
  const scene = testEnvironment()
  scene.answers('evidence', new NoAnswer('ECONNRESET', 'reset'), reply(422, {}))
  await run(scene)
  expect(callsOf(scene).slice(5)).toEqual(
    [1, 2, 3].flatMap(() => ['capabilities', 'evidence'] as const),
  )
})

test('registration is tried until it succeeds, in 3.0 and in the current version in turns', async () => {
  const scene = testEnvironment()
  scene.answers('register', reply(500, {}), reply(500, {}), reply(403, {}))
  await run(scene)
  expect(asked(scene, 'register').map(({ path }) => path)).toEqual([
    ...['/v3.0/agents/', `/v2.5/agents/${AGENT}`, '/v3.0/agents/', `/v2.5/agents/${AGENT}`],
  ])
})

test('a registration has no address, and no certificate of a server', async () => {
  const scene = testEnvironment()
  await run(scene)
  expect(Object.keys(JSON.parse(JSON.stringify(asked(scene, 'register')[0]?.body)))).toEqual([
    ...['agent_id', 'aik_tpm', 'ek_tpm', 'mtls_cert'],
  ])
})

test.each([
  ['7', undefined, '7'],
  [undefined, `/v3.0/agents/${AGENT}/attestations/12`, '12'],
  [undefined, 'https://elsewhere.example/attestations/12', '12'],
  [undefined, undefined, 'latest'],
  ['../../sessions', undefined, 'latest'],
])('an attestation with id %o at %o is answered at %s', async (id, location, index) => {
  const scene = testEnvironment()
  const { data } = begun()
  const headers = location === undefined ? {} : { location }
  scene.answers('capabilities', reply(201, { data: { ...data, id } }, headers))
  await run(scene)
  expect(asked(scene, 'evidence')[0]?.path).toBe(`/v3/agents/${AGENT}/attestations/${index}`)
})

test.each<[string, Call, unknown]>([
  ['no JSON', 'session', undefined],
  ['a list', 'session', []],
  ['an id that is a path', 'session', { data: { ...session().data, id: '../agents' } }],
  ['a challenge that is a number', 'session', session({}, 7)],
  ['a challenge that is empty', 'session', session({}, '')],
  ['a challenge that is no base64', 'session', session({}, '!')],
  ['no JSON', 'proof', undefined],
  ['a token with a line break', 'proof', granted({ token: 'a\nb' })],
  ['an evaluation that is a number', 'proof', granted({ evaluation: 1 })],
  ['no JSON', 'capabilities', undefined],
  ['no evidence_requested', 'capabilities', { data: { attributes: {} } }],
  ['an evidence_requested that is null', 'capabilities', begun(null as never)],
  ['no JSON', 'version', undefined],
  ['no blob', 'register', { results: {} }],
  ['a blob that is no base64', 'register', { results: { blob: '!' } }],
])('an answer with %s to %s is unreadable, and is waited after', async (_, call, body) => {
  const scene = testEnvironment()
  scene.answers(call, reply(call === 'capabilities' ? 201 : 200, body))
  const [first] = (await run(scene)).filter(({ event }) => event === 'unreadable')
  expect(first).toMatchObject({ failures: 1 })
  expect(first?.pause).toBeGreaterThan(0)
})

test('a body that cannot be read does not make accepted evidence unaccepted', async () => {
  const scene = testEnvironment()
  scene.answers('evidence', reply(202, undefined))
  await run(scene, 2)
  expect(scene.clock.waits).toEqual([60_000])
})
