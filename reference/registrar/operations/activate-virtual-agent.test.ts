import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ApiVersion } from '../../api/versions.ts'
import { DOCUMENTED_VERSIONS } from '../../api/versions.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { callOf } from '../../dev/testing/call-of.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { type DeepQuoteSource, sha256, stubDeepQuote } from '../../dev/testing/deep-quotes.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, testRegistrar } from '../../dev/testing/test-registrar.ts'
import { ApiError } from '../../errors.ts'
import type { ClaimedPcrs } from '../../evidence/quote/claimed-pcrs.ts'
import { CLAIMED, makeStubAttester, quoted } from '../../evidence/testing/stub-attester.ts'
import type { LookUpHost } from '../../http-client/look-up-registration.ts'
import { registrarOperations } from '../operations.ts'

const GUEST = makeStubAttester()
const HOST = makeStubAttester()
const OTHER = makeStubAttester()
const EK = Buffer.from(KEYS.ek, 'base64')

const ACTIVE: LookUpHost = (agentId) =>
  Promise.resolve(agentId === AGENT ? HOST.tpm2bPublic : undefined)

/** A registrar at which a guest is registered, whose host the provider has. */
async function registered(lookUpHost: LookUpHost | undefined = ACTIVE) {
  const registrar = await testRegistrar({}, lookUpHost)
  const aik_tpm = toBase64(GUEST.tpm2bPublic)
  await registrar.register({ aik_tpm, ekcert: null, ek_tpm: KEYS.ek })
  const tagOf = async (agentId = AGENT) => (await registrar.store.find(agentId))?.expected_tag ?? ''
  const operations = registrarOperations(registrar.parts, DOCUMENTED_VERSIONS)
  const vactivate = async (deepquote: unknown, version: ApiVersion = '2.0') => {
    const call = callOf({ agent_id: AGENT }, { deepquote })
    return operations['activate-virtual-agent']({ ...call, version })
  }
  return { ...registrar, aik_tpm, tagOf, vactivate }
}

function nonceOf(tag: string, ak = GUEST.tpm2bPublic, ek: Uint8Array = EK): Uint8Array {
  return sha256(Buffer.from(tag), ak, ek)
}

const right = (tag: string): DeepQuoteSource => ({ guest: GUEST, host: HOST, nonce: nonceOf(tag) })
const encoded = (text: string) => toBase64(Buffer.from(text))

test.each(['1.0', '2.0'] as const)(
  'a deep quote of %s activates as a tag does',
  async (version) => {
    const { vactivate, tagOf, store } = await registered()
    const pack =
      version === '1.0' ? (part: Uint8Array) => new Uint8Array(deflateSync(part)) : undefined
    const text = stubDeepQuote({ ...right(await tagOf()), ...(pack && { pack }) })
    expect(await vactivate(encoded(text), version)).toEqual({})
    expect(await store.find(AGENT)).toMatchObject({ active: 1, pending: null })
  },
)

test('the right deep quote may come again, and an active agent takes a new address with it', async () => {
  const { vactivate, tagOf, store, register, aik_tpm } = await registered()
  const text = encoded(stubDeepQuote(right(await tagOf())))
  await vactivate(text)
  expect(await vactivate(text)).toEqual({})
  await register({ aik_tpm, ekcert: null, ek_tpm: KEYS.ek, ip: '192.0.2.7' })
  expect(await store.find(AGENT)).toMatchObject({ active: 1, ip: '192.0.2.1' })
  await vactivate(encoded(stubDeepQuote(right(await tagOf()))))
  expect(await store.find(AGENT)).toMatchObject({ active: 1, ip: '192.0.2.7' })
})

/** PCR 0 and 10 of another machine. */
const PCRS: ClaimedPcrs = CLAIMED.map(({ bank, values }) => ({
  bank,
  values: new Map([...values].map(([pcr, value]) => [pcr, value.map((byte) => byte + 1)])),
}))
const flip = (tag: string) => tag.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
const swapped = (text: string) => {
  const parts = text.slice(1).split(':')
  return `d${[...parts.slice(3), ...parts.slice(0, 3)].join(':')}`
}

type Change = (tag: string) => Partial<DeepQuoteSource>

test.each<[string, Change, RegExp]>([
  ['over another tag', (tag) => ({ nonce: nonceOf(flip(tag)) }), /virtual TPM: .*extraData/],
  [
    'over the tag alone',
    (tag) => ({ nonce: sha256(Buffer.from(tag)) }),
    /virtual TPM: .*extraData/,
  ],
  ['over the tag itself', (tag) => ({ nonce: Buffer.from(tag) }), /virtual TPM: .*extraData/],
  [
    'over another AK',
    (tag) => ({ nonce: nonceOf(tag, OTHER.tpm2bPublic) }),
    /virtual TPM: .*extraData/,
  ],
  [
    'over another EK',
    (tag) => ({ nonce: nonceOf(tag, undefined, OTHER.tpm2bPublic) }),
    /virtual TPM: .*extraData/,
  ],
  ['by another AK', () => ({ guest: OTHER }), /virtual TPM: /],
  ['by another host', () => ({ host: OTHER }), /the host: /],
  ['by the guest twice', () => ({ host: GUEST }), /the host: /],
  ['whose guest has another magic', () => ({ guestAttest: { magic: 1 } }), /virtual TPM: .*magic/],
  ['whose host has another magic', () => ({ hostAttest: { magic: 1 } }), /the host: .*magic/],
  [
    'whose guest quotes other PCRs than it signed',
    () => ({ guestPcrs: PCRS, guestAttest: { attested: quoted(CLAIMED) } }),
    /virtual TPM: the claimed PCR values/,
  ],
  [
    'whose host quotes other PCRs than it signed',
    () => ({ hostPcrs: PCRS, hostAttest: { attested: quoted(CLAIMED) } }),
    /the host: the claimed PCR values/,
  ],
  [
    'whose host is bound to another quote',
    () => ({ hostNonce: sha256(Uint8Array.of(1)) }),
    /the host: .*extraData/,
  ],
  ['whose host has the nonce of its guest', (tag) => ({ hostNonce: nonceOf(tag) }), /the host: /],
])('a deep quote %s activates no agent, and changes nothing', async (_, change, why) => {
  const { vactivate, tagOf, store } = await registered()
  const before = await store.find(AGENT)
  const tag = await tagOf()
  const text = stubDeepQuote({ ...right(tag), ...change(tag) })
  const refusal = await refusalOf(() => vactivate(encoded(text)))
  expect(refusal).toMatchObject({ status: 400, pointer: '/deepquote' })
  expect(refusal.message).toMatch(why)
  expect(refusal.message).not.toContain(tag.slice(0, 16))
  expect(await store.find(AGENT)).toEqual(before)
})

test.each<[string, (text: string) => string]>([
  ['swapped halves', swapped],
  ['a cut end', (text) => text.slice(0, -4)],
  ['a part more', (text) => `${text}:AAAA`],
  ['the letter of an ordinary quote', (text) => `r${text.slice(1)}`],
  ['a byte order mark', (text) => `\ufeff${text}`],
])('a deep quote with %s is refused', async (_, change) => {
  const { vactivate, tagOf, store } = await registered()
  const text = stubDeepQuote(right(await tagOf()))
  expect(await refusalOf(() => vactivate(encoded(change(text))))).toMatchObject({
    status: 400,
    pointer: '/deepquote',
  })
  expect(await store.find(AGENT)).toMatchObject({ active: 0 })
  expect(await vactivate(encoded(text))).toEqual({})
})

test('the deep quote of another agent, and of an earlier blob, are refused', async () => {
  const { vactivate, tagOf, register, aik_tpm } = await registered()
  await register({ aik_tpm, ekcert: null, ek_tpm: KEYS.ek }, 'other')
  const others = encoded(stubDeepQuote(right(await tagOf('other'))))
  expect(await refusalOf(() => vactivate(others))).toMatchObject({ status: 400 })
  const earlier = encoded(stubDeepQuote(right(await tagOf())))
  await register({ aik_tpm, ekcert: null, ek_tpm: KEYS.ek })
  expect(await refusalOf(() => vactivate(earlier))).toMatchObject({ status: 400 })
})

test('the blob of another registration that came meanwhile is not activated', async () => {
  const { vactivate, tagOf, register, aik_tpm, store } = await registered(async () => {
    await register({ aik_tpm, ekcert: null, ek_tpm: KEYS.ek })
    return HOST.tpm2bPublic
  })
  const text = encoded(stubDeepQuote(right(await tagOf())))
  expect(await refusalOf(() => vactivate(text))).toMatchObject({ status: 400 })
  expect(await store.find(AGENT)).toMatchObject({ active: 0 })
})

test('a guest whose host is not active at the provider is refused', async () => {
  const { vactivate, tagOf } = await registered(() => Promise.resolve(undefined))
  const text = encoded(stubDeepQuote(right(await tagOf())))
  const refusal = await refusalOf(() => vactivate(text))
  expect(refusal).toMatchObject({ status: 400, pointer: '/deepquote' })
  expect(refusal.message).toMatch(/no active host/)
})

test('while the provider cannot be asked, the answer says so, and nothing changes', async () => {
  const { vactivate, tagOf, store } = await registered(() =>
    Promise.reject(new ApiError('registrar_unreachable', 'later')),
  )
  const text = encoded(stubDeepQuote(right(await tagOf())))
  expect(await refusalOf(() => vactivate(text))).toMatchObject({ status: 503 })
  expect(await store.find(AGENT)).toMatchObject({ active: 0 })
})

test('only a guest that proved itself causes a question to the provider', async () => {
  const asked: string[] = []
  const { vactivate, tagOf } = await registered((agentId) => {
    asked.push(agentId)
    return ACTIVE(agentId)
  })
  const source = right(await tagOf())
  await refusalOf(() => vactivate(encoded(stubDeepQuote({ ...source, guest: OTHER }))))
  expect(asked).toEqual([])
  await vactivate(encoded(stubDeepQuote(source)))
  expect(asked).toEqual([AGENT])
})

test("without a provider's registrar no deep quote activates, and the sentence names the setting", async () => {
  const { register, ask, store } = await testRegistrar()
  const aik_tpm = toBase64(GUEST.tpm2bPublic)
  await register({ aik_tpm, ekcert: null, ek_tpm: KEYS.ek })
  const tag = (await store.find(AGENT))?.expected_tag ?? ''
  const deepquote = encoded(stubDeepQuote(right(tag)))
  const refusal = await refusalOf(() => ask('activate-virtual-agent', { deepquote }))
  expect(refusal).toMatchObject({ status: 400, pointer: '/deepquote' })
  expect(refusal.message).toMatch(/provider_registrar_ip.*activate with auth_tag instead$/)
})

test('a wrong deep quote does no harm to an active record', async () => {
  const { vactivate, activate, store } = await registered()
  await activate()
  await refusalOf(() => vactivate('AAAA'))
  expect(await store.find(AGENT)).toMatchObject({ active: 1 })
})

test('an agent that never registered is not found', async () => {
  const { ask } = await testRegistrar({}, ACTIVE)
  const deepquote = encoded(stubDeepQuote(right('')))
  expect(await refusalOf(() => ask('activate-virtual-agent', { deepquote }))).toMatchObject({
    status: 404,
  })
})

test.each([undefined, 1, '', '*', 'AAAA'])('%o is no deep quote', async (deepquote) => {
  const { vactivate } = await registered()
  expect(await refusalOf(() => vactivate(deepquote))).toMatchObject({
    status: 400,
    pointer: '/deepquote',
  })
})
