import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApiVersion } from '../../api/versions.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { PROCESSOR_MAKER, REPORTS, type WrittenReport } from '../../evidence/testing/snp-reports.ts'

const { guest, usual, faults } = REPORTS

const urlSafe = (text: string) => Buffer.from(text, 'base64').toString('base64url')

const DATA = {
  nonce: guest.nonce,
  'tee-pubkey-x-b64': urlSafe(guest.x),
  'tee-pubkey-y-b64': urlSafe(guest.y),
}

function bodyWith({ report, vcek }: Partial<WrittenReport>, data: object = {}, tee = 'snp') {
  const evidence = { 'snp-report': report, ...(vcek && { 'snp-vcek': vcek }) }
  return { type: 'tee', data: { ...DATA, 'tee-evidence': { tee, evidence }, ...data } }
}

interface Settings {
  readonly store?: string
  readonly more?: readonly string[]
  readonly version?: ApiVersion
}

async function ask(body: unknown, settings: Settings = {}) {
  const { store = PROCESSOR_MAKER, more = [], version = '2.5' } = settings
  const verifier = await testVerifier({
    settings: [`tee_cert_store=${store}`, ...more],
    version,
  })
  const answer = await verifier.ask('verify-evidence', {}, body)
  return answer.body as {
    readonly valid: boolean
    readonly claims: Readonly<Record<string, unknown>>
    readonly failures: readonly { readonly type: string; readonly context: object }[]
  }
}

async function typesOf(body: unknown, settings?: Settings): Promise<readonly string[]> {
  const { valid, claims, failures } = await ask(body, settings)
  expect([valid, claims]).toEqual([false, {}])
  return failures.map(({ type }) => type)
}

test('a right report is valid, with its claims and without failures', async () => {
  const { valid, claims, failures } = await ask(bodyWith(usual))
  expect([valid, failures]).toEqual([true, []])
  expect(claims).toMatchObject({
    ...{ platform_smt_enabled: true, platform_tsme_enabled: false },
    ...{ reported_tcb_bootloader: 4, reported_tcb_microcode: 213 },
    ...{ policy_abi_major: 1, policy_abi_minor: 51, policy_debug_allowed: false },
  })
  expect(claims['measurement']).toHaveLength(48)
})

/** The failures of a report with each fault: one, except for a key on another curve. */
const FAILURES: Readonly<Record<string, string>> = {
  cut: 'tee_attestation.invalid_input',
  continued: 'tee_attestation.invalid_input',
  'unknown-version': 'tee_attestation.invalid_input',
  'version-zero': 'tee_attestation.invalid_input',
  'unknown-algorithm': 'tee_attestation.invalid_input',
  'by-vlek': 'tee_attestation.invalid_input',
  'key-masked': 'tee_attestation.invalid_input',
  'measurement-altered': 'tee_attestation.invalid_signature',
  'r-flipped': 'tee_attestation.invalid_signature',
  's-flipped': 'tee_attestation.invalid_signature',
  'signature-zero': 'tee_attestation.invalid_signature',
  'signature-big-endian': 'tee_attestation.invalid_input',
  'r-too-large': 'tee_attestation.invalid_input',
  'other-key': 'tee_attestation.invalid_signature',
  'other-nonce': 'tee_attestation.freshness_hash_failed',
  'other-public-key': 'tee_attestation.freshness_hash_failed',
  'without-public-key': 'tee_attestation.freshness_hash_failed',
  'report-data-half': 'tee_attestation.freshness_hash_failed',
  'other-maker': 'tee_attestation.untrusted_vcek',
  'namesake-maker': 'tee_attestation.untrusted_vcek',
  expired: 'tee_attestation.untrusted_vcek',
  'not-yet-valid': 'tee_attestation.untrusted_vcek',
  'other-chip': 'tee_attestation.invalid_chip_id',
  'chip-begun': 'tee_attestation.invalid_chip_id',
  'no-chip': 'tee_attestation.invalid_chip_id',
  'chip-absent': 'tee_attestation.invalid_chip_id',
  'no-chip-of-zeros': 'tee_attestation.invalid_chip_id',
  'other-curve': 'tee_attestation.invalid_public_key tee_attestation.invalid_signature',
  'other-bootloader': 'tee_attestation.invalid_tcb',
  'other-tee': 'tee_attestation.invalid_tcb',
  'other-snp': 'tee_attestation.invalid_tcb',
  'other-microcode': 'tee_attestation.invalid_tcb',
  debug: 'tee_attestation.policy_debug',
}

test('each fault of the recorded reports is listed', () => {
  expect(Object.keys(FAILURES)).toEqual(Object.keys(faults))
})

test.each(Object.entries(FAILURES))(
  'a report with the fault %s is not valid: %s',
  async (name, type) => {
    expect(await typesOf(bodyWith({ ...usual, ...faults[name] }))).toEqual(type.split(' '))
  },
)

test('a guest that may be debugged is valid where the settings accept it', async () => {
  const more = ['tee_allow_debug=True']
  const { valid, claims } = await ask(bodyWith({ ...usual, ...faults['debug'] }), { more })
  expect([valid, claims['policy_debug_allowed']]).toEqual([true, true])
})

test('without a store every report is refused for that', async () => {
  const { failures } = await ask(bodyWith(usual), { store: '' })
  expect(failures).toMatchObject([
    {
      type: 'tee_attestation.untrusted_vcek',
      context: { message: 'the certificate of the VCEK has no issuer in the certificate store' },
    },
  ])
})

function pemOf(certificate: string): string {
  return `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`
}

test('the certificate of the VCEK may be in the store', async () => {
  expect(await typesOf(bodyWith({ report: usual.report }))).toEqual(['tee_attestation.vcek_fetch'])
  const store = join(temporaryDirectory(), 'store.pem')
  const others = [faults['other-chip'], faults['other-snp'], usual].map((each) => each?.vcek ?? '')
  writeFileSync(store, readFileSync(PROCESSOR_MAKER, 'utf8') + others.map(pemOf).join(''))
  expect((await ask(bodyWith({ report: usual.report }), { store })).valid).toBe(true)
})

test('a key that is not on P-384 is no VCEK', async () => {
  const [, ark = ''] = readFileSync(PROCESSOR_MAKER, 'utf8').split(/-----(?:BEGIN|END)[^-]+-----/)
  const body = bodyWith({ report: usual.report, vcek: ark.replace(/\s/g, '') })
  expect(await typesOf(body)).toContain('tee_attestation.invalid_public_key')
})

test('an unknown tee is not valid, and the failure says what is supported', async () => {
  const { valid, failures } = await ask(bodyWith(usual, {}, 'tdx'))
  expect(valid).toBe(false)
  expect(failures).toEqual([
    {
      type: 'tee_attestation.invalid.tee',
      context: { message: 'tee is "tdx"; supported is snp', supported: ['snp'] },
    },
  ])
})

const SNP = { 'snp-report': usual.report, 'snp-vcek': usual.vcek }
const evidence = (members: object, more: object = {}) => ({
  'tee-evidence': { tee: 'snp', evidence: members, ...more },
})
const continued = (text: string) =>
  Buffer.concat([Buffer.from(text, 'base64'), Buffer.alloc(1)]).toString('base64')
const AT = '/data/tee-evidence/evidence'

test.each<[string, object, string]>([
  ['no nonce', { nonce: undefined }, '/data/nonce'],
  ['no coordinate', { 'tee-pubkey-y-b64': undefined }, '/data/tee-pubkey-y-b64'],
  ['a padded coordinate', { 'tee-pubkey-x-b64': 'AA==' }, '/data/tee-pubkey-x-b64'],
  ['no report', evidence({ 'snp-vcek': usual.vcek }), `${AT}/snp-report`],
  ['a report that is not base64', evidence({ ...SNP, 'snp-report': '*' }), `${AT}/snp-report`],
  ['a certificate that is none', evidence({ ...SNP, 'snp-vcek': 'AAAA' }), `${AT}/snp-vcek`],
  [
    'a certificate with a byte behind it',
    evidence({ ...SNP, 'snp-vcek': continued(usual.vcek) }),
    `${AT}/snp-vcek`,
  ],
  ['an unknown member of the report', evidence({ ...SNP, 'snp-vlek': 'AAAA' }), `${AT}/snp-vlek`],
  ['an unknown member beside it', evidence(SNP, { policy: '{}' }), '/data/tee-evidence/policy'],
  ['a member of a TPM', { tpm_policy: '{}' }, '/data/tpm_policy'],
])('%s is refused at its place', async (_, change, pointer) => {
  expect(await refusalOf(() => ask(bodyWith(usual, change)))).toMatchObject({
    status: 400,
    pointer,
  })
})

test('a member that is not evaluated is refused in a sentence', async () => {
  const refusal = await refusalOf(() => ask(bodyWith(usual, { tpm_policy: '{}' })))
  expect(refusal.message).toBe('/data/tpm_policy: is no member of this request')
})

test('TEE evidence is of API 2.5, and an unknown type of none', async () => {
  const older = await refusalOf(() => ask(bodyWith(usual), { version: '2.4' }))
  expect(older).toMatchObject({ status: 400, pointer: '/type' })
  expect(older.message).toBe('/type: must be "tpm" under API 2.4')
  const unknown = await refusalOf(() => ask({ ...bodyWith(usual), type: 'sgx' }))
  expect(unknown.message).toBe('/type: must be "tpm" or "tee" under API 2.5')
})
