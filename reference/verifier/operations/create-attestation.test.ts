import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import {
  AGENT,
  attest,
  begin,
  capabilities,
  enrol,
  evidenceFor,
  logOffer,
  quoteOffer,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { timestamp } from '../../platform/clock.ts'

async function enrolled(change: Record<string, unknown> = {}): Promise<TestVerifier> {
  const verifier = await testVerifier()
  await enrol(verifier, change)
  return verifier
}

test('capabilities are answered with 201, the location, and the requested evidence', async () => {
  const verifier = await enrolled()
  const answer = await verifier.ask('create-attestation', { agent_id: AGENT }, capabilities())
  const now = verifier.clock.now()
  expect([answer.status, answer.headers]).toEqual([
    201,
    { location: `/v3/agents/${AGENT}/attestations/0` },
  ])
  expect(answer.body).toEqual({
    data: {
      type: 'attestation',
      id: '0',
      attributes: {
        stage: 'awaiting_evidence',
        evaluation: 'pending',
        failure_reason: null,
        evidence_requested: [
          {
            evidence_class: 'certification',
            evidence_type: 'tpm_quote',
            chosen_parameters: {
              challenge: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/),
              signature_scheme: 'ecdsa',
              hash_algorithm: 'sha256',
              selected_subjects: [0],
              certification_key: {
                key_class: 'asymmetric',
                key_algorithm: 'ecc',
                key_size: 256,
                server_identifier: 'ak',
              },
            },
          },
        ],
        system_info: { boot_time: '2026-01-01T00:00:00Z' },
        capabilities_received_at: timestamp(now),
        challenges_expire_at: timestamp(now + 1_800_000),
        evidence_received_at: null,
        verification_completed_at: null,
      },
      links: { self: `/v3/agents/${AGENT}/attestations/0` },
    },
  })
})

test('indexes count up, and no two challenges are alike', async () => {
  const verifier = await enrolled()
  const begun = [await begin(verifier), await begin(verifier), await begin(verifier)]
  const challenges = begun.map(
    ({ attributes }) => attributes.evidence_requested?.[0]?.chosen_parameters['challenge'],
  )
  expect(begun.map(({ id }) => id)).toEqual(['0', '1', '2'])
  expect(new Set(challenges).size).toBe(3)
})

test('attestations that begin at the same time have consecutive indexes', async () => {
  const verifier = await enrolled()
  const begun = await Promise.all(Array.from({ length: 5 }, () => begin(verifier)))
  expect(begun.map(({ id }) => id).toSorted()).toEqual(['0', '1', '2', '3', '4'])
})

test('other members of system_info are returned unchanged', async () => {
  const verifier = await enrolled()
  const { attributes } = await begin(verifier, capabilities([quoteOffer()], { kernel: '6.1' }))
  expect(attributes['system_info']).toEqual({ kernel: '6.1' })
})

test.each([
  '2026-01-01T00:00:00Z',
  '2026-01-01T02:00:00+02:00',
  '2026-01-01T00:00:00.123456Z',
  '2026-01-01T00:00Z',
  '2026-01-01T00:00:00',
])('boot time %s is kept as it was sent', async (boot_time) => {
  const verifier = await enrolled()
  const { attributes } = await begin(verifier, capabilities([quoteOffer()], { boot_time }))
  expect(attributes['system_info']).toEqual({ boot_time })
})

test.each([
  '2026-01-01',
  'yesterday',
  '2026-13-01T00:00:00Z',
  '2026-01-01T00:00:00 (noon) Z',
  '1767225600Z',
])('boot time %o is refused', async (boot_time) => {
  const verifier = await enrolled()
  const request = capabilities([quoteOffer()], { boot_time })
  expect(await refusalOf(() => begin(verifier, request))).toMatchObject({
    status: 422,
    pointer: '/data/attributes/system_info/boot_time',
  })
})

test('an agent that is not enrolled is 404', async () => {
  const verifier = await testVerifier()
  expect(await refusalOf(() => begin(verifier))).toMatchObject({
    status: 404,
    message: `No enrolled agent with ID '${AGENT}'.`,
  })
})

test('an agent whose policy is gone gets no attestation, rather than one without policy', async () => {
  const verifier = await enrolled({ runtime_policy: toBase64(Buffer.from(RUNTIME_POLICY)) })
  Object.assign(verifier.store.policies, { brief: () => Promise.resolve(undefined) })
  const offers = [quoteOffer(), logOffer('ima_log')]
  await expect(begin(verifier, capabilities(offers))).rejects.toThrow('policy of an agent is gone')
})

const SUPPORTED = '/data/attributes/evidence_supported'

test.each<[string, unknown, string, RegExp]>([
  ['no body', undefined, '', /must be object/],
  [
    'another type',
    { data: { type: 'session', attributes: {} } },
    '/data/type',
    /must be "attestation"/,
  ],
  ['data as list', { data: [] }, '/data', /must be object/],
  ['no offers', capabilities([]), SUPPORTED, /must not have fewer than 1/],
  [
    '33 offers',
    capabilities(Array.from({ length: 33 }, () => quoteOffer())),
    SUPPORTED,
    /must not have more than 32/,
  ],
  [
    'no system_info',
    capabilities([quoteOffer()], null),
    '/data/attributes/system_info',
    /must be object/,
  ],
  [
    'a boot time as number',
    capabilities([quoteOffer()], { boot_time: 7 }),
    '/data/attributes/system_info/boot_time',
    /must be string/,
  ],
  [
    'an unknown type',
    capabilities([{ ...quoteOffer(), evidence_type: 'x' }]),
    `${SUPPORTED}/0/evidence_type`,
    /must be equal to one of/,
  ],
  [
    'a quote called a log',
    capabilities([{ ...quoteOffer(), evidence_class: 'log' }]),
    `${SUPPORTED}/0/evidence_class`,
    /must be "certification"/,
  ],
  [
    'a log called a quote',
    capabilities([quoteOffer(), { ...logOffer('ima_log'), evidence_class: 'certification' }]),
    `${SUPPORTED}/1/evidence_class`,
    /must be "log"/,
  ],
  [
    'a log with a count as text',
    capabilities([quoteOffer(), logOffer('ima_log', { entry_count: '1' })]),
    `${SUPPORTED}/1/capabilities/entry_count`,
    /must be integer/,
  ],
  [
    'a quote without keys',
    capabilities([quoteOffer({ certification_keys: [] })]),
    `${SUPPORTED}/0/capabilities/certification_keys`,
    /must not have fewer than 1/,
  ],
  [
    'a quote without schemes',
    capabilities([quoteOffer({ signature_schemes: undefined })]),
    `${SUPPORTED}/0/capabilities/signature_schemes`,
    /is missing/,
  ],
  [
    'a key that is no base64',
    capabilities([quoteOffer({ certification_keys: [{ public: 'AAA*' }] })]),
    `${SUPPORTED}/0/capabilities/certification_keys/0/public`,
    /base64/,
  ],
  [
    'a quote of PCR 24',
    capabilities([quoteOffer({ available_subjects: [24] })]),
    `${SUPPORTED}/0/capabilities/available_subjects/0`,
    /must be <= 23/,
  ],
])('%s is refused at its member, and no index is used up', async (_, request, pointer, message) => {
  const verifier = await enrolled()
  const ask = () => verifier.ask('create-attestation', { agent_id: AGENT }, request)
  const refusal = await refusalOf(ask)
  expect(refusal).toMatchObject({ code: 'invalid_resource_data', status: 422, pointer })
  expect(refusal.message).toMatch(message)
  expect((await begin(verifier)).id).toBe('0')
})

async function attested(settings: readonly string[]): Promise<TestVerifier> {
  const verifier = await testVerifier({ settings })
  await enrol(verifier)
  await attest(verifier)
  return verifier
}

test('an agent that is early must wait if the setting says so', async () => {
  const verifier = await attested(['early_capabilities=refuse', 'quote_interval=5'])
  verifier.clock.pass(1.5)
  expect(await refusalOf(() => begin(verifier))).toMatchObject({
    code: 'premature_attestation',
    status: 429,
    retryAfter: 4,
  })
  verifier.clock.pass(3.5)
  expect((await begin(verifier)).id).toBe('1')
  expect((await begin(verifier)).id).toBe('2')
})

test('without the setting an agent may come at any time', async () => {
  expect((await begin(await attested([]))).id).toBe('1')
})

test('a running evaluation delays the next attestation for the time of a setting', async () => {
  const verifier = await testVerifier({ settings: ['verification_timeout=3'] })
  await enrol(verifier)
  const begun = await begin(verifier)
  const params = { agent_id: AGENT, index: 'latest' }
  const answer = await verifier.ask('submit-evidence', params, evidenceFor(begun))
  const refusal = { code: 'verification_in_progress', status: 503, retryAfter: 3 }
  expect(await refusalOf(() => begin(verifier))).toMatchObject(refusal)
  await verifier.finish(answer)
  expect((await begin(verifier)).id).toBe('1')
})
