import { expect, test } from 'vitest'
import { file, ORDER, scene } from '../testing/add-scene.ts'
import type { CommandResult } from '../testing/run-tenant.ts'
import { type AgentChange, stubAgent } from '../testing/stub-agent.ts'

test('an agent that proves itself is added, gets its payload, and proves that it has the key', async () => {
  const { agent, say, status } = await scene()
  const said = await say('-c', 'add', '-f', file('the payload'))
  expect(said).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^agent .* added to the verifier/),
  })
  expect(said.err).toMatch(/quote from .* validated[\s\S]*successful key derivation/)
  expect(agent.asked).toEqual(ORDER)
  expect(agent.opened).toMatchObject({ tagIsRight: true, payload: 'the payload' })
  expect(await status()).toMatchObject({ ip: '127.0.0.1', port: String(agent.port) })
})

test('no output contains a secret', async () => {
  const { agent, say, status } = await scene()
  const { out, err } = await say('add', '--json')
  const { v } = await status()
  for (const secret of [v, agent.opened.sent?.auth_tag, 'PRIVATE'])
    expect(out + err).not.toContain(secret ?? 'nothing')
})

test('two additions have no half in common, and the halves are none of K', async () => {
  const { agent, say, status } = await scene()
  await say('add')
  const first = { u: agent.opened.sent?.encrypted_key, v: (await status()).v }
  await say('update')
  expect((await status()).v).not.toBe(first.v)
  expect(agent.opened.sent?.encrypted_key).not.toBe(first.u)
})

test('without a payload the agent still gets its half, and no member for one', async () => {
  const { agent, say } = await scene()
  expect(await say('add')).toMatchObject({ code: 0 })
  expect(new Set(Object.keys(agent.opened.sent ?? {}))).toEqual(
    new Set(['auth_tag', 'encrypted_key']),
  )
})

test('an agent with another certificate than the registered one is not contacted', async () => {
  const { agent, say } = await scene(
    {},
    { mtls_cert: (await stubAgent('')).registration.mtls_cert },
  )
  expect(await say('add')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/not trusted here/),
  })
  expect(agent.asked).toEqual([])
})

test.each([
  [{ mtls_cert: 'disabled' }, /no certificate/],
  [{ ip: null }, /the address of agent .* is unknown/],
  [{ port: null }, /the address of agent .* is unknown/],
  [{ mtls_cert: 'a text' }, /an mtls_cert that is no certificate/],
  [{ port: 70_000 }, /its registered port is not a port number/],
])('an agent that registered %j is not contacted', async (record, sentence) => {
  const { agent, say } = await scene({}, record)
  expect(await say('add')).toMatchObject({ code: 1, err: expect.stringMatching(sentence) })
  expect(agent.asked).toEqual([])
})

test('an option overrides the registered address of an agent', async () => {
  const { agent, say } = await scene({}, { ip: '192.0.2.1', port: 1 })
  expect(await say('add', '-t', '127.0.0.1', '-tp', String(agent.port))).toMatchObject({ code: 0 })
})

test.each([
  ['one of its own', { results: { supported_versions: ['2.1', '2.2'] } }, '/v2.2'],
  ['the single one', { results: { supported_version: '2.3' } }, '/v2.3'],
  ['an old one when it does not say', { status: 404, results: {} }, '/v2.1'],
])('an agent is contacted in %s', async (_, version, prefix) => {
  const { agent, say } = await scene({ version })
  expect(await say('add')).toMatchObject({ code: 0 })
  expect(agent.asked[1]).toBe(`GET ${prefix}/quotes/identity`)
})

test('an agent without a common version is an error, and --agent-api-version skips the negotiation', async () => {
  const { agent, say } = await scene({ version: { results: { supported_versions: ['3.0'] } } })
  expect((await say('add')).err).toContain('[no_common_version]')
  expect(await say('add', '--agent-api-version', '2.4')).toMatchObject({ code: 0 })
  expect(agent.asked.slice(1, 3)).toEqual(['GET /v2.4/quotes/identity', 'POST /v2.4/keys/ukey'])
})

test('an agent that refuses its half is not added', async () => {
  const { say, status } = await scene({ ukey: 400 })
  expect(await say('add')).toMatchObject({ code: 1 })
  expect(await status()).toEqual({})
})

test.each<[string, AgentChange]>([
  ['another key', { wrongKey: true }],
  ['nonsense', { hmac: 'zz' }],
  ['nothing', { hmac: '' }],
])('an agent that proves %s is stopped, after waits', async (_, change) => {
  const { say, status, pauses } = await scene(change)
  const said = await say('add', '--set', 'max_retries=3')
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining('[keys_not_derived]') })
  expect(pauses).toEqual([2000, 4000, 8000])
  expect(await status()).toMatchObject({ operational_state: 10 })
})

test('an agent that goes away before it proves its key is asked again, and stopped when it stays away', async () => {
  const { say, status, pauses } = await scene({ leaves: true })
  const said = await say('add', '--set', 'max_retries=2')
  expect(said).toMatchObject({
    code: 1,
    err: expect.stringMatching(/broke off.*is stopped \[keys/),
  })
  expect(pauses).toEqual([2000, 4000])
  expect(await status()).toMatchObject({ operational_state: 10 })
})

test('with --no-verify the tenant does not wait for a proof', async () => {
  const { agent, say } = await scene({ wrongKey: true })
  expect(await say('add', '--no-verify')).toMatchObject({ code: 0 })
  expect(agent.asked).toEqual(ORDER.slice(0, 3))
})

test('an agent that was added is added no more, but by update', async () => {
  const { say } = await scene()
  await say('add')
  const again: CommandResult = await say('add')
  expect(again.err).toMatch(/already exists.*\[conflict\]\nnext: delete or update it first/)
  expect(await say('update')).toMatchObject({ code: 0 })
})

const OTHER_NONCE = 'AAAAAAAAAAAAAAAAAAAA'

test('an agent that does not prove itself to an update stays as it was', async () => {
  const change: { nonce?: string } = {}
  const { say, status } = await scene(change)
  await say('add')
  const { v } = await status()
  change.nonce = OTHER_NONCE
  const said = await say('update')
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining('[identity_not_proven]') })
  expect(await status()).toMatchObject({ v })
})

test('an update that fails late reports that the agent is not verified any more', async () => {
  const change: { ukey?: number } = {}
  const { say, status } = await scene(change)
  await say('add')
  change.ukey = 400
  expect((await say('update')).err).toContain('it is not verified until it is added')
  expect(await status()).toEqual({})
})

test('a push agent is added without being contacted, and without keys', async () => {
  const { agent, say, status } = await scene({}, { ip: null, port: null, mtls_cert: null })
  expect(await say('add', '--push-model')).toMatchObject({ code: 0 })
  expect(agent.asked).toEqual([])
  expect(await status()).toMatchObject({ v: null, ip: null, port: null })
})

test('the error for an unregistered agent has the next step', async () => {
  const { say } = await scene()
  const said = await say('add', '-u', 'another')
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining('start the agent') })
})
