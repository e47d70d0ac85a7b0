import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../../bytes/base64.ts'
import { KEYS } from '../../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY, runtimePolicy } from '../../../dev/testing/runtime-policy.ts'
import { testVerifier } from '../../../dev/testing/verifier/test-verifier.ts'
import type { Evaluation, EvidenceCase } from '../../../evidence/evaluate.ts'
import { evaluate as shippedEvaluate } from '../../../evidence/evaluate.ts'
import { issueCertificate } from '../../../evidence/testing/issue-certificate.ts'
import { RECORDED_NONCE, recorded } from '../../../tpm/testing/recorded-boot.ts'
import { withTimeLimit } from '../../evaluation/with-time-limit.ts'

function part(suffix: string): string {
  return toBase64(recorded(`rsassa_sha256_10.${suffix}`))
}

/** The document's flat body, for a quote of PCR 10 of the recorded boot. */
const BODY = {
  nonce: new TextDecoder().decode(RECORDED_NONCE),
  quote: `r${part('attest')}:${part('sig')}:${part('pcrs')}`,
  hash_alg: 'sha256',
  tpm_ak: KEYS.akRsa,
  tpm_ek: KEYS.ek,
}

interface Verdict {
  readonly valid: boolean
  readonly claims: unknown
  readonly failures: readonly { readonly type: string; readonly context: unknown }[]
}

async function verify(
  change: Record<string, unknown> = {},
  evaluate = shippedEvaluate,
): Promise<Verdict> {
  const verifier = await testVerifier({ evaluate })
  const { body } = await verifier.ask('verify-evidence', {}, { ...BODY, ...change })
  return body as Verdict
}

test('a good quote is valid, with its claims and without failures', async () => {
  const verdict = await verify()
  expect(verdict).toMatchObject({ valid: true, failures: [] })
  expect(verdict.claims).toMatchObject({
    pcrs: { sha256: { 10: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  })
})

test('a quote by a key that may sign anything else is not valid', async () => {
  const unrestricted = fromBase64(KEYS.akRsa)
  unrestricted.set([(unrestricted[7] ?? 0) & ~1], 7)
  const verdict = await verify({ tpm_ak: toBase64(unrestricted) })
  expect(verdict).toMatchObject({
    valid: false,
    failures: [{ type: 'quote_validation.invalid_attestation_key' }],
  })
})

test('a policy in an envelope needs the certificate of its signer', async () => {
  const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = toBase64(await issueCertificate(signer.publicKey))
  const envelope = (keyid: string, key = signer.privateKey) => {
    const bytes = Buffer.from(RUNTIME_POLICY)
    const sig = sign('sha256', Buffer.from(`DSSEv1 1 t ${bytes.length} ${bytes}`), key)
    const signatures = [{ keyid, sig: toBase64(sig) }]
    return JSON.stringify({ payload: toBase64(bytes), payloadType: 't', signatures })
  }
  const list = { ima_measurement_list: '' }
  const { failures } = await verify({ ...list, runtime_policy: envelope(certificate) })
  expect(failures).toMatchObject([{ type: 'pcr_validation.unused_pcr_10' }])
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const spelled = envelope('who').replace('"payload"', '"\\u0070ayload"')
  for (const runtime_policy of [envelope(certificate, other), envelope('who'), spelled])
    expect(await refusalOf(() => verify({ ...list, runtime_policy }))).toMatchObject({
      status: 400,
      pointer: '/runtime_policy',
    })
})

test('the same is taken in the form with type and data', async () => {
  const verifier = await testVerifier()
  const { body } = await verifier.ask('verify-evidence', {}, { type: 'tpm', data: BODY })
  expect(body).toMatchObject({ valid: true })
})

test('a nonce may be the base64 of the quoted bytes', async () => {
  expect((await verify({ nonce: toBase64(RECORDED_NONCE) })).valid).toBe(true)
})

test.each<[string, Record<string, unknown>, string]>([
  ['another nonce', { nonce: 'Ab3dEfGh1jKlMnOpQrSu' }, 'quote_validation.'],
  ['another key', { tpm_ak: KEYS.akRsapss }, 'quote_validation.'],
  [
    'a PCR against the policy',
    { tpm_policy: JSON.stringify({ 10: ['00'.repeat(32)] }) },
    'pcr_validation.invalid_pcr_10',
  ],
  ['an unknown hash', { hash_alg: 'constructor' }, 'quote_validation.'],
  [
    'a runtime policy without a list',
    { runtime_policy: RUNTIME_POLICY },
    'pcr_validation.unused_pcr_10',
  ],
  [
    'a boot policy without a log',
    { mb_policy: '{"has_secureboot":false}' },
    'measured_boot.missing_log',
  ],
])('%s is not valid, has no claims, and has the reason', async (_, change, type) => {
  const verdict = await verify(change)
  expect([verdict.valid, verdict.claims]).toEqual([false, {}])
  expect(verdict.failures.map((failure) => failure.type).join()).toContain(type)
  expect(verdict.failures[0]?.context).toMatchObject({ message: expect.any(String) })
})

test.each<[string, Record<string, unknown>, RegExp]>([
  ['no nonce', { nonce: undefined }, /nonce: is missing/],
  ['an empty nonce', { nonce: '' }, /nonce: must not have fewer/],
  ['no quote', { quote: undefined }, /quote: is missing/],
  ['a quote as number', { quote: 7 }, /quote: must be string/],
  ['a quote without its letter', { quote: BODY.quote.slice(1) }, /quote/],
  ['a quote of two parts', { quote: 'rAAAA:AAAA' }, /quote/],
  ['no hash_alg', { hash_alg: undefined }, /hash_alg: is missing/],
  ['no tpm_ak', { tpm_ak: undefined }, /tpm_ak: is missing/],
  ['a key that is not base64', { tpm_ak: '*' }, /tpm_ak/],
  ['no tpm_ek', { tpm_ek: undefined }, /tpm_ek: is missing/],
  ['a tpm_ek that is not base64', { tpm_ek: '!!' }, /^tpm_ek\b/],
  ['a tpm_policy that is not JSON', { tpm_policy: '{' }, /tpm_policy: is not JSON/],
  ['a runtime policy that is not JSON', { runtime_policy: '{' }, /runtime_policy: is not JSON/],
  [
    'a runtime policy in base64',
    { runtime_policy: toBase64(Buffer.from(RUNTIME_POLICY)) },
    /runtime_policy: is not JSON/,
  ],
  ['a boot policy that is not JSON', { mb_policy: '{' }, /^mb_policy: is not JSON/],
  ['a boot policy that is JSON null', { mb_policy: 'null' }, /^mb_policy/],
  ['a boot log that is not base64', { mb_list: '*' }, /mb_list/],
  ['a list as array', { ima_measurement_list: [] }, /ima_measurement_list: must be string/],
])('%s is refused with 400', async (_, change, message) => {
  const refusal = await refusalOf(() => verify(change))
  expect(refusal).toMatchObject({ code: 'malformed_request', status: 400 })
  expect(refusal.message).toMatch(message)
})

test.each<[string, unknown, string]>([
  ['no body', undefined, ''],
  ['a list', [], ''],
  ['an unknown type', { type: 'other', data: BODY }, '/type'],
  ['a TEE without its members', { type: 'tee', data: BODY }, '/data/tee-pubkey-x-b64'],
  ['a member of a TEE', { ...BODY, 'tee-evidence': {} }, '/tee-evidence'],
  [
    'such a member in data',
    { type: 'tpm', data: { ...BODY, 'tee-evidence': {} } },
    '/data/tee-evidence',
  ],
  ['a type without data', { type: 'tpm' }, '/data'],
  ['data as text', { type: 'tpm', data: '' }, '/data'],
])('%s is refused at its place', async (_, body, pointer) => {
  const verifier = await testVerifier()
  const refusal = await refusalOf(() => verifier.ask('verify-evidence', {}, body))
  expect(refusal).toMatchObject({ status: 400, pointer })
})

test('an empty boot policy, like none, asks for nothing', async () => {
  expect((await verify({ mb_policy: '{}' })).valid).toBe(true)
})

test('the list and the PCRs of the policy have to be in the signed selection', async () => {
  const cases: EvidenceCase[] = []
  const evaluate = (evidence: EvidenceCase): Evaluation => {
    cases.push(evidence)
    return { verdict: 'fail', findings: [] }
  }
  const tpm_policy = JSON.stringify({ 3: ['00'.repeat(32)] })
  await verify({ tpm_policy, ima_measurement_list: 'x\n' }, evaluate)
  expect(cases[0]?.requestedPcrs).toEqual({ bank: 'sha256', pcrs: [3, 10] })
})

test("a stranger's regular expression over a stranger's list ends in time, with a verdict on the files", async () => {
  const list = new TextDecoder().decode(recorded('ascii_after_tools'))
  const digests = { '/x': ['00'.repeat(32)] }
  const runtime_policy = runtimePolicy(digests, ['^(([a-z/_.0-9-])+)+#$'])
  const body = { ima_measurement_list: list, runtime_policy }
  // An engine that backtracks takes years, so that the limit may be long enough for a busy machine.
  const { valid, failures } = await verify(body, withTimeLimit(shippedEvaluate, 30_000))
  expect(valid).toBe(false)
  expect(failures.length).toBeGreaterThan(0)
  const check: unknown = expect.stringMatching(/^ima\.entry-(policy|violation)$/)
  for (const failure of failures) expect(failure).toMatchObject({ context: { check } })
})
