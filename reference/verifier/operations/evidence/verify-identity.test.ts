import { expect, test } from 'vitest'
import { toBase64 } from '../../../bytes/base64.ts'
import { KEYS } from '../../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../../dev/testing/refusal-of.ts'
import { AGENT, enrol } from '../../../dev/testing/verifier/push-requests.ts'
import { testVerifier } from '../../../dev/testing/verifier/test-verifier.ts'
import { RECORDED_NONCE, recorded } from '../../../tpm/testing/recorded-boot.ts'

function part(suffix: string): string {
  return toBase64(recorded(`rsassa_sha256_10.${suffix}`))
}

/** A quote of PCR 10 of the recorded boot. */
const QUERY = {
  agent_uuid: AGENT,
  hash_alg: 'sha256',
  nonce: new TextDecoder().decode(RECORDED_NONCE),
  quote: `r${part('attest')}:${part('sig')}:${part('pcrs')}`,
}

async function ask(change: Readonly<Record<string, string>>, enrolment = {}) {
  const verifier = await testVerifier()
  await enrol(verifier, { ak_tpm: KEYS.akRsa, tpm_policy: '{}', ...enrolment })
  return verifier.ask('verify-identity', {}, undefined, { ...QUERY, ...change })
}

test('a quote by the key of the agent over the nonce is valid', async () => {
  expect(await ask({})).toEqual({ body: { valid: 1 } })
})

test('a nonce in base64 stands for its bytes', async () => {
  expect(await ask({ nonce: toBase64(RECORDED_NONCE) })).toEqual({ body: { valid: 1 } })
})

const another = (suffix: string) => {
  const bytes = recorded(`rsassa_sha256_10.${suffix}`)
  const changed = Uint8Array.from(bytes)
  changed.set([(changed.at(-1) ?? 0) ^ 1], changed.length - 1)
  return QUERY.quote.replace(part(suffix), toBase64(changed))
}

test.each([
  ['another nonce', { nonce: 'another' }, /not the nonce/],
  ['a flipped signature', { quote: another('sig') }, /does not verify|signature/],
  ['a flipped byte under the signature', { quote: another('attest') }, /signature/],
  ['a byte after the PCR values', { quote: another('pcrs') }, /PCR_BLOB/],
  ['another hash', { hash_alg: 'sha1' }, /expected any scheme with sha1/],
  ['an unknown hash', { hash_alg: 'md5' }, /expected any scheme with md5/],
  ['no quote', { quote: 'quote' }, /letter 'r'/],
  [
    'a plus sign that became a blank',
    { quote: QUERY.quote.replaceAll('+', ' ') },
    /^quote\.\w+ at byte/,
  ],
])('%s is not valid, with a reason', async (_, change, reason) => {
  expect(await ask(change)).toEqual({ body: { valid: 0, reason: expect.stringMatching(reason) } })
})

test.each([
  ['the key of another', { ak_tpm: KEYS.akEcc256 }],
  ['a hash that is not accepted', { accept_tpm_hash_algs: ['sha384'] }],
  ['a scheme that is not accepted', { accept_tpm_signing_algs: ['ecdsa'] }],
  ['a key algorithm that is not accepted', { accept_tpm_encryption_algs: ['ecc'] }],
])('%s is not valid', async (_, enrolment) => {
  expect(await ask({}, enrolment)).toMatchObject({ body: { valid: 0 } })
})

test('a stopped agent is who it is', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, { ak_tpm: KEYS.akRsa })
  await verifier.ask('stop-agent', { agent_id: AGENT })
  const { body } = await verifier.ask('verify-identity', {}, undefined, QUERY)
  expect(body).toEqual({ valid: 1 })
})

test.each(Object.keys(QUERY))(
  'without %s the request is refused, and it is named',
  async (name) => {
    expect(await refusalOf(() => ask({ [name]: '' }))).toMatchObject({
      status: 400,
      message: `query parameter ${name} is missing`,
    })
  },
)

test('an agent that was never added is 404', async () => {
  expect(await refusalOf(() => ask({ agent_uuid: 'other' }))).toMatchObject({ status: 404 })
})

test('an invalid agent id is refused, and not repeated', async () => {
  const refusal = await refusalOf(() => ask({ agent_uuid: '<b>' }))
  expect(refusal).toMatchObject({ status: 400 })
  expect(refusal.message).not.toContain('<b>')
})
