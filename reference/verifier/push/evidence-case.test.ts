import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import { AK, quoteData } from '../../dev/testing/verifier/push-requests.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { parseReferenceState } from '../../evidence/uefi/policy/reference-state.ts'
import { evidenceCase } from './evidence-case.ts'
import type { EvidenceItem } from './selection/evidence-item.ts'

const QUOTE = {
  evidence_class: 'certification',
  evidence_type: 'tpm_quote',
  capabilities: {},
  chosen_parameters: {
    challenge: 'AAAA',
    signature_scheme: 'ecdsa',
    hash_algorithm: 'sha256',
    selected_subjects: [0, 10],
    certification_key: {},
  },
  data: quoteData('AAAA'),
} as unknown as EvidenceItem

const NOTHING = {
  runtimePolicy: undefined,
  bootPolicy: null,
  bootPolicyName: 'example',
  carried: undefined,
  begunWith: undefined,
  policyDigest: undefined,
  ignoreTomtouErrors: false,
} as const

function caseOf(items: readonly EvidenceItem[], bootPolicy: string | null = null) {
  const agent = agentRow({ ak_tpm: AK })
  return evidenceCase({ ...NOTHING, agent, bootPolicy, items }, parseReferenceState)
}

function imaLog(format: string, entries: string): EvidenceItem {
  return {
    evidence_class: 'log',
    evidence_type: 'ima_log',
    capabilities: {},
    chosen_parameters: { starting_offset: 0, entry_count: 1, format },
    data: { entries },
  }
}

test('a quote is compared with the chosen parameters, not with its own', () => {
  expect(caseOf([QUOTE])).toMatchObject({
    nonce: new Uint8Array(3),
    hashAlgorithm: 'sha256',
    signatureScheme: 'ecdsa',
    acceptedHashes: ['sha256'],
    acceptedSchemes: ['rsassa', 'ecdsa'],
    requestedPcrs: { bank: 'sha256', pcrs: [0, 10] },
  })
})

test('PCRs chosen as an object of banks are those of the bank of the quote', () => {
  const selected_subjects = { sha1: null, sha256: [7] }
  const chosen_parameters = { ...QUOTE.chosen_parameters, selected_subjects }
  const item = { ...QUOTE, chosen_parameters } as unknown as EvidenceItem
  expect(caseOf([item]).requestedPcrs).toEqual({ bank: 'sha256', pcrs: [7] })
})

const LINE = '10 00 ima-ng sha256:00 /bin/true\n'

test.each([
  ['binary', 'application/octet-stream', 'AAEC', 'binary', Uint8Array.of(0, 1, 2)],
  ['raw text', 'text/plain', LINE, 'ascii', Buffer.from(LINE)],
  ['base64 text', 'text/plain', Buffer.from(LINE).toString('base64'), 'ascii', Buffer.from(LINE)],
  ['text that is nearly base64', 'text/plain', 'abcde', 'ascii', Buffer.from('abcde')],
  ['no text', 'text/plain', '', 'ascii', Buffer.from('')],
])('a list as %s is read', (_, type, entries, format, bytes) => {
  const { ima } = caseOf([QUOTE, imaLog(type, entries)])
  expect(ima).toEqual({ format, bytes: new Uint8Array(bytes), startingOffset: 0 })
})

test('without logs none are in the case', () => {
  expect(Object.keys(caseOf([QUOTE]))).not.toEqual(expect.arrayContaining(['ima']))
  expect(Object.keys(caseOf([QUOTE]))).not.toEqual(expect.arrayContaining(['uefi']))
})

test('a boot log is required when there is a reference state', () => {
  const item = { ...imaLog('application/octet-stream', 'AAEC'), evidence_type: 'uefi_log' } as const
  expect(caseOf([QUOTE, item], '{"has_secureboot":false}').measuredBoot?.required).toBe(true)
  expect(caseOf([QUOTE, item])).not.toHaveProperty('measuredBoot')
})

test('a boot log that was not asked for in time is missed when there is a reference state by then', () => {
  expect(caseOf([QUOTE], '{"has_secureboot":false}').measuredBoot?.required).toBe(true)
  expect(caseOf([QUOTE])).not.toHaveProperty('measuredBoot')
})

test('file signatures are checked with the keyring of the agent, if it has one', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pubkeys = [publicKey.export({ format: 'der', type: 'spki' }).toString('base64')]
  const keyring = JSON.stringify({ keyids: [7], pubkeys })
  const keysFor = (ima_sign_verification_keys: string) =>
    evidenceCase(
      {
        ...NOTHING,
        agent: agentRow({ ak_tpm: AK, ima_sign_verification_keys }),
        runtimePolicy: parseRuntimePolicy(RUNTIME_POLICY),
        items: [QUOTE],
      },
      parseReferenceState,
    ).runtimePolicy?.verificationKeys
  expect([...(keysFor(keyring)?.keys() ?? [])]).toEqual([7])
  expect(keysFor('')?.size).toBe(0)
})

test('stored evidence without a quote is a fault', () => {
  expect(() => caseOf([])).toThrow('stored evidence has no tpm_quote')
})
