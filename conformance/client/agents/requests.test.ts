import { expect, test } from 'vitest'
import { openLab } from '../../../simulator/testing/lab.ts'
import { parseCredentialBlob, writeCredentialBlob } from '../../../simulator/tpm/credential-blob.ts'
import { at } from '../../attempt/reply.ts'
import {
  isSpoken,
  REGISTRAR_OPERATIONS,
  VERIFIER_OPERATIONS,
} from '../../catalogue/routes/operations.ts'
import { DIALECT_KEYS, DIALECTS, type Dialect } from '../../dialects/dialect.ts'
import { resolveDialect } from '../../dialects/resolve-dialect.ts'
import { checkRequest } from '../../schemas/check-request.ts'
import { authTag, base64 } from '../bytes.ts'
import { capabilitiesOf, TEXT_LIST } from './capabilities.ts'
import { openableBlob } from './credential-blob.ts'
import { enrolmentOf } from './enrolment.ts'
import { collectEvidence } from './evidence.ts'
import { registrationOf } from './registration.ts'
import { thirdPartyEvidence, verifyEvidenceRequest } from './third-party-evidence.ts'

const machine = await openLab().machine()
const { document, keylime } = DIALECTS
const AGENT = '0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3'
const OFFER = { imaFormats: [TEXT_LIST], uefiLog: true }
const thirdParty = await thirdPartyEvidence(machine, {
  quoted: 'nonce',
  stated: 'nonce',
  measuredBoot: true,
})

const quoteOf = (dialect: Dialect) =>
  at(capabilitiesOf(machine, OFFER, dialect), 'data', 'attributes', 'evidence_supported', 0)
const keyOf = (dialect: Dialect) =>
  at(quoteOf(dialect), 'capabilities', 'certification_keys', 0) as Record<string, unknown>

function requested(dialect: Dialect) {
  const list = dialect['available-subjects'] === 'list'
  const chosen = { hash_algorithm: 'sha256', selected_subjects: list ? [10] : { sha256: [10] } }
  return [
    { evidence_class: 'certification', evidence_type: 'tpm_quote', chosen_parameters: chosen },
    { evidence_class: 'log', evidence_type: 'ima_log', chosen_parameters: { format: TEXT_LIST } },
  ]
}

async function evidenceOf(dialect: Dialect): Promise<unknown> {
  const challenge = Uint8Array.of(1, 2, 3)
  const reply = { exchange: 0, status: 201, headers: {}, text: '', body: {}, failure: undefined }
  const negotiation = {
    reply: { ...reply, endedInTls: false, resumed: false },
    index: '0',
    challenge,
    requested: requested(dialect),
  }
  return collectEvidence(machine, negotiation, {}, dialect)
}

/** The document dialect with one value replaced. */
const VARIANTS = Object.entries(DIALECT_KEYS).flatMap(([key, { values }]) =>
  values.map((value) => {
    const resolution = resolveDialect({ base: 'document', values: { [key]: value } })
    if ('problem' in resolution) throw new Error(resolution.problem)
    return { key, value, dialect: resolution.dialect }
  }),
)

test.each([...VARIANTS, { key: 'all', value: 'keylime', dialect: keylime }])(
  'with $key as $value every request fits its schema',
  async ({ dialect }) => {
    checkRequest('register', '2.5', registrationOf(machine, dialect))
    checkRequest('add-agent', '2.5', enrolmentOf(machine, { measuredBoot: true }, dialect))
    checkRequest('verify-evidence', '2.5', verifyEvidenceRequest(thirdParty, dialect))
    checkRequest('negotiate', '3.0', capabilitiesOf(machine, OFFER, dialect))
    checkRequest('submit', '3.0', await evidenceOf(dialect))
  },
)

test.each([
  ['registrar', REGISTRAR_OPERATIONS],
  ['verifier', VERIFIER_OPERATIONS],
])('in every dialect each operation of the %s has one row at a version', (_role, rows) => {
  for (const { dialect } of VARIANTS) {
    const spoken = rows.filter((row) => isSpoken(row, dialect))
    const keys = spoken.map(({ operation, since }) => `${operation} ${since}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(new Set(spoken.map(({ operation }) => operation))).toEqual(
      new Set(rows.map(({ operation }) => operation)),
    )
  }
})

test('a registration has only the EK certificate in the document, and PEM with the EK in keylime', () => {
  const { certificate, public: ek } = machine.ek
  expect(registrationOf(machine, document)).toMatchObject({
    ekcert: base64(certificate),
    port: '9002',
  })
  expect(registrationOf(machine, document)).not.toHaveProperty('ek_tpm')
  expect(registrationOf(machine, keylime)).toMatchObject({
    ekcert: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
    ek_tpm: base64(ek),
    port: 9002,
    iak_cert: null,
  })
})

test('a boot policy has one member name in each dialect', () => {
  const named = (dialect: Dialect) =>
    Object.keys(enrolmentOf(machine, {}, dialect)).filter((member) => member.startsWith('mb_'))
  expect(named(document)).toEqual(['mb_refstate'])
  expect(named(keylime)).toEqual(['mb_policy', 'mb_policy_name'])
})

test('subjects are a list in the document and an object by bank in keylime', () => {
  const subjects = (dialect: Dialect) => at(quoteOf(dialect), 'capabilities', 'available_subjects')
  expect(subjects(document)).toHaveLength(24)
  expect(Object.keys(Object(subjects(keylime)))).toEqual(['sha1', 'sha256', 'sha384', 'sha512'])
})

test('keylime sends the key as TPMT_PUBLIC with its name, the document as TPM2B_PUBLIC', () => {
  expect(keyOf(document)).toMatchObject({ public: base64(machine.ak.public) })
  expect(keyOf(document)).not.toHaveProperty('local_identifier')
  expect(keyOf(keylime)).toMatchObject({
    public: base64(machine.ak.public.subarray(2)),
    local_identifier: Buffer.from(machine.ak.name).toString('hex'),
  })
})

test('third-party evidence is flat in the document and under `data` in keylime', () => {
  const { mb_list, ...members } = thirdParty
  expect(verifyEvidenceRequest(thirdParty, document)).toEqual(thirdParty)
  expect(verifyEvidenceRequest(thirdParty, keylime)).toEqual({
    type: 'tpm',
    data: { ...members, mb_log: mb_list },
  })
})

test('a blob opens with and without its header', () => {
  const parts = { idObject: Uint8Array.of(1), encryptedSecret: Uint8Array.of(2, 3) }
  const whole = writeCredentialBlob(parts)
  const bare = { ...document, 'blob-header': 'bare' } as const
  expect(openableBlob(whole, document)).toEqual(whole)
  expect(parseCredentialBlob(openableBlob(whole.subarray(8), bare))).toMatchObject(parts)
})

test('the HMAC key of the activation tag is the text of the secret or its bytes', () => {
  const secret = Uint8Array.of(1, 2, 3)
  const raw = { ...document, 'auth-tag-key': 'raw' } as const
  expect(authTag(secret, AGENT, document)).toMatch(/^[0-9a-f]{96}$/)
  expect(authTag(secret, AGENT, raw)).not.toBe(authTag(secret, AGENT, document))
})
