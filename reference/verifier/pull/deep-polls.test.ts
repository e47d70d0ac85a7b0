import { expect, test } from 'vitest'
import { sha256 } from '../../dev/testing/deep-quotes.ts'
import { type Answer, pullAgent, say } from '../../dev/testing/pull-agent.ts'
import { PCR, STUB_HOST, type StubHost } from '../../dev/testing/stub-pull-machine.ts'
import { polling } from '../../dev/testing/verifier/polling.ts'
import { AGENT } from '../../dev/testing/verifier/push-requests.ts'
import { ApiError } from '../../errors.ts'
import { makeStubAttester } from '../../evidence/testing/stub-attester.ts'
import type { LookUpHost } from '../../http-client/look-up-registration.ts'

/** What the host is in, and what the guest is. */
const HOST_POLICY = JSON.stringify({ 7: [STUB_HOST.pcr], mask: '0x80' })
const GUEST_POLICY = JSON.stringify({ 1: [PCR], mask: '0x3' })
const DEEP = { supported_version: '2.0', tpm_policy: HOST_POLICY, vtpm_policy: GUEST_POLICY }

const KNOWN: LookUpHost = (agentId) =>
  Promise.resolve(agentId === AGENT ? STUB_HOST.attester.tpm2bPublic : undefined)

/** A verifier that polls a guest on a host, with something changed. */
async function deepPolls(
  host: Partial<StubHost> = {},
  { lookUpHost = KNOWN, add = {} }: { lookUpHost?: LookUpHost | undefined; add?: object } = {},
) {
  const [agent, verifier] = [await pullAgent(), await polling([], {}, lookUpHost)]
  agent.set({ host: { ...STUB_HOST, ...host } })
  await verifier.add(agent, { ...DEEP, ...add })
  return { agent, verifier }
}

test.each(['1.0', '2.0'])(
  'a guest of %s is asked for a deep quote, which passes',
  async (version) => {
    const { agent, verifier } = await deepPolls({}, { add: { supported_version: version } })
    await verifier.passes(2)
    expect(agent.asked.map(({ query }) => [query['mask'], query['vmask']])).toEqual([
      ['0x80', '0x3'],
      ['0x80', '0x3'],
    ])
  },
)

test('a policy with a mask alone asks for a deep quote, too', async () => {
  const { agent, verifier } = await deepPolls({}, { add: { vtpm_policy: '{"mask":"0x2"}' } })
  await verifier.passes(1)
  expect(agent.asked[0]?.query['vmask']).toBe('0x2')
})

test.each<[string, Partial<StubHost>, string]>([
  ['of another host', { attester: makeStubAttester() }, 'quote_validation.quote_validation'],
  [
    'whose host is bound to another quote',
    { bound: () => sha256(Uint8Array.of(1)) },
    'quote_validation.quote_validation',
  ],
  [
    'whose host signs the TPMS_ATTEST and not its digest',
    { bound: (message) => message.subarray(0, 32) },
    'quote_validation.quote_validation',
  ],
  ['of a host in another state', { pcr: 'ee'.repeat(32) }, 'pcr_validation.invalid_pcr_7'],
])('a deep quote %s fails', async (_, host, kind) => {
  const { verifier } = await deepPolls(host)
  await verifier.settles(9)
  expect(await verifier.record()).toMatchObject({ last_event_id: kind, attestation_count: 0 })
  expect(verifier.verifier.logged()).toMatch(/quote of the host: /)
})

test('a deep quote of a guest in another state fails by vtpm_policy', async () => {
  const vtpm_policy = JSON.stringify({ 1: ['ee'.repeat(32)] })
  const { verifier } = await deepPolls({}, { add: { vtpm_policy } })
  await verifier.settles(9)
  expect(await verifier.record()).toMatchObject({ last_event_id: 'pcr_validation.invalid_pcr_1' })
})

test('an ordinary quote of a guest fails', async () => {
  const { agent, verifier } = await deepPolls()
  await verifier.passes(1)
  agent.set({ host: undefined })
  await verifier.settles(9)
  expect(await verifier.record()).toMatchObject({ last_event_id: 'quote_validation.invalid_quote' })
  expect(verifier.verifier.logged()).toContain("expected the letter 'd'")
})

const ASKED_DEEPLY: Answer = (asked, _, honest) => {
  Object.assign(asked.query, { vmask: '0x1' })
  honest()
}

test('a deep quote of an agent without vtpm_policy fails', async () => {
  const add = { vtpm_policy: '{}', tpm_policy: '{"mask":"0x1"}' }
  const { agent, verifier } = await deepPolls({}, { add })
  await verifier.passes(1)
  expect(agent.asked[0]?.query).not.toHaveProperty('vmask')
  agent.answers(ASKED_DEEPLY)
  await verifier.settles(9)
  expect(await verifier.record()).toMatchObject({ last_event_id: 'quote_validation.invalid_quote' })
  expect(verifier.verifier.logged()).toContain("expected the letter 'r'")
})

test('from 2.1 on vtpm_policy asks for nothing', async () => {
  const add = { supported_version: '2.1', tpm_policy: '{}' }
  const { agent, verifier } = await deepPolls({}, { add })
  await verifier.passes(1)
  expect(agent.asked[0]?.query).not.toHaveProperty('vmask')
})

const REFUSES_20: Answer = ({ path }, response, honest) => {
  if (path === '/version') say(response, 200, { supported_version: '2.1' })
  else if (path.startsWith('/v2.0/')) say(response, 400, {}, 'API version not supported')
  else honest()
}

test('an agent cannot leave the versions of deep quotes, and its host with them', async () => {
  const { agent, verifier } = await deepPolls()
  agent.answers(REFUSES_20)
  await verifier.settles(7)
  expect(agent.asked.every(({ path }) => !path.startsWith('/v2.1/'))).toBe(true)
})

test('one without vtpm_policy may', async () => {
  const add = { vtpm_policy: '{}', tpm_policy: '{}' }
  const { agent, verifier } = await deepPolls({}, { add })
  agent.answers(REFUSES_20)
  await verifier.passes(2)
  expect(agent.asked.at(-1)?.path).toBe('/v2.1/quotes/integrity')
})

test('an agent whose host is not active at the provider fails', async () => {
  const { verifier } = await deepPolls({}, { lookUpHost: () => Promise.resolve(undefined) })
  await verifier.settles(9)
  expect(verifier.verifier.logged()).toContain('no active host of this agent')
})

test('while the provider cannot be asked, the agent is tried again', async () => {
  let isDown = true
  const lookUpHost: LookUpHost = (agentId) =>
    isDown ? Promise.reject(new ApiError('registrar_unreachable', 'later')) : KNOWN(agentId)
  const { agent, verifier } = await deepPolls({}, { lookUpHost })
  await verifier.pass(1)
  expect(verifier.events).toContain('unanswered')
  expect(agent.asked).toEqual([])
  isDown = false
  await verifier.passes(1)
})

test("without a provider's registrar the agent fails, and the log names the setting", async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.add(agent, DEEP)
  await verifier.settles(7)
  expect(agent.asked).toEqual([])
  expect(verifier.verifier.logged()).toContain('provider_registrar_ip')
})

test('of a guest of 1.0 that was reset everything is asked for at once', async () => {
  const { agent, verifier } = await deepPolls({}, { add: { supported_version: '1.0' } })
  await verifier.passes(1)
  agent.set({ resetCount: 6 })
  await verifier.passes(2)
  expect(agent.asked.map(({ query }) => query['partial'])).toEqual(['0', '1', '0'])
})
