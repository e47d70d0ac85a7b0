import { toBase64 } from '../../../bytes/base64.ts'
import { toHex } from '../../../bytes/hex.ts'
import { CLAIMED, makeStubAttester, quoted } from '../../../evidence/testing/stub-attester.ts'
import { nameOf } from '../../../tpm/name.ts'
import type { TestVerifier } from './test-verifier.ts'

export const AGENT = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

const attester = makeStubAttester()

/** base64 of the key that signs everything here. */
export const AK = toBase64(attester.tpm2bPublic)

/** An add-agent request that asks for PCR 0 only, with some members changed. */
export function agentRequest(change: Readonly<Record<string, unknown>> = {}): unknown {
  return { ak_tpm: AK, tpm_policy: JSON.stringify({ 0: [pcr(0)] }), ...change }
}

export function enrol(
  verifier: TestVerifier,
  change: Readonly<Record<string, unknown>> = {},
  agent_id = AGENT,
) {
  return verifier.ask('add-agent', { agent_id }, agentRequest(change))
}

/** Value of a PCR that the attester quotes, in hex. */
export function pcr(number: number): string {
  return toHex(CLAIMED[0]?.values.get(number) ?? new Uint8Array())
}

export function quoteOffer(change: Readonly<Record<string, unknown>> = {}) {
  return {
    evidence_class: 'certification',
    evidence_type: 'tpm_quote',
    capabilities: {
      signature_schemes: ['ecdsa'],
      hash_algorithms: ['sha256'],
      available_subjects: [0, 1, 2, 3, 4, 5, 6, 7, 10, 16],
      certification_keys: [
        {
          key_class: 'asymmetric',
          key_algorithm: 'ecc',
          key_size: 256,
          server_identifier: 'ak',
          public: AK,
        },
      ],
      ...change,
    },
  }
}

export function logOffer(
  type: 'ima_log' | 'uefi_log',
  change: Readonly<Record<string, unknown>> = {},
) {
  return {
    evidence_class: 'log',
    evidence_type: type,
    capabilities: { entry_count: 20, supports_partial_access: true, ...change },
  }
}

const BOOT_TIME = '2026-01-01T00:00:00Z'

/** Capabilities: these offers, and a machine that was booted at {@link BOOT_TIME}. */
export function capabilities(
  offers: readonly unknown[] = [quoteOffer()],
  system_info: unknown = { boot_time: BOOT_TIME },
) {
  return { data: { type: 'attestation', attributes: { evidence_supported: offers, system_info } } }
}

/** The parts of an attestation document that tests read. */
export interface AttestationDocument {
  readonly id: string
  readonly attributes: {
    readonly stage: string
    readonly evaluation: string
    readonly failure_reason: string | null
    readonly evidence_requested?: readonly Requested[]
    readonly evidence?: readonly Requested[]
    readonly [member: string]: unknown
  }
  readonly links: { readonly self: string }
}

interface Requested {
  readonly evidence_class: string
  readonly evidence_type: string
  readonly chosen_parameters: Readonly<Record<string, unknown>>
  readonly data?: Readonly<Record<string, unknown>>
}

/** Begins an attestation and returns its document. */
export async function begin(
  verifier: TestVerifier,
  request: unknown = capabilities(),
  agent_id = AGENT,
): Promise<AttestationDocument> {
  const { body } = await verifier.ask('create-attestation', { agent_id }, request)
  return (body as { data: AttestationDocument }).data
}

/** Good evidence for a request: a quote, and one entry for each log. */
export function evidenceFor(
  { attributes }: AttestationDocument,
  quote: Readonly<Record<string, unknown>> = {},
) {
  const collected = (attributes.evidence_requested ?? []).map((item) => ({
    evidence_class: item.evidence_class,
    evidence_type: item.evidence_type,
    data:
      item.evidence_type === 'tpm_quote'
        ? { ...quoteData(String(item.chosen_parameters['challenge'])), ...quote }
        : { entry_count: 1, entries: 'AAAA' },
  }))
  return evidence(collected)
}

export function evidence(collected: readonly unknown[]) {
  return { data: { type: 'attestation', attributes: { evidence_collected: collected } } }
}

/** A quote of PCR 0 and 10 over a base64 challenge. */
export function quoteData(challenge: string) {
  const extraData = new Uint8Array(Buffer.from(challenge, 'base64'))
  const { message, signature } = attester.attest({ extraData, attested: quoted(CLAIMED) })
  return {
    subject_data: { 0: pcr(0), 10: pcr(10) },
    message: toBase64(message),
    signature: toBase64(signature),
  }
}

/** Submits good evidence for an attestation, and waits for its evaluation. */
export async function attest(
  verifier: TestVerifier,
  request: unknown = capabilities(),
): Promise<AttestationDocument> {
  const begun = await begin(verifier, request)
  const params = { agent_id: AGENT, index: begun.id }
  await verifier.finish(await verifier.ask('submit-evidence', params, evidenceFor(begun)))
  return readAttestation(verifier, begun.id)
}

export async function readAttestation(
  verifier: TestVerifier,
  index = 'latest',
): Promise<AttestationDocument> {
  const { body } = await verifier.ask('read-attestation', { agent_id: AGENT, index })
  return (body as { data: AttestationDocument }).data
}

/** The status record of the agent. */
export async function readAgent(
  verifier: TestVerifier,
): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await verifier.ask('read-agent', { agent_id: AGENT })
  return body as Readonly<Record<string, unknown>>
}

export function sessionRequest(agent_id: unknown = AGENT) {
  const authentication_supported = [{ authentication_class: 'pop', authentication_type: 'tpm_pop' }]
  return { data: { type: 'session', attributes: { agent_id, authentication_supported } } }
}

/** The parts of a session document that tests read. */
export interface SessionDocument {
  readonly id: string
  readonly attributes: {
    readonly evaluation?: string
    readonly token?: string
    readonly token_expires_at?: string
    readonly authentication_requested?: readonly {
      readonly chosen_parameters: { readonly challenge: string }
    }[]
    readonly [member: string]: unknown
  }
}

export async function openSession(
  verifier: TestVerifier,
  agent_id = AGENT,
): Promise<SessionDocument> {
  const { body } = await verifier.ask('create-session', {}, sessionRequest(agent_id))
  return (body as { data: SessionDocument }).data
}

/** A right proof of possession for the challenge of a session. */
export function proofFor({ attributes }: SessionDocument, by = attester) {
  const challenge = attributes.authentication_requested?.[0]?.chosen_parameters.challenge ?? ''
  const attested = {
    kind: 'certify',
    value: { name: nameOf(by.tpm2bPublic), qualifiedName: new Uint8Array() },
  } as const
  const extraData = new Uint8Array(Buffer.from(challenge, 'base64'))
  const { message, signature } = by.attest({ type: 0x8017, extraData, attested })
  return { message: toBase64(message), signature: toBase64(signature) }
}

export function proofRequest(agent_id: string, data: unknown) {
  const provided = { authentication_class: 'pop', authentication_type: 'tpm_pop', data }
  return {
    data: { type: 'session', attributes: { agent_id, authentication_provided: [provided] } },
  }
}

export async function completeSession(
  verifier: TestVerifier,
  session_id: string,
  data: unknown,
  agent_id = AGENT,
): Promise<SessionDocument> {
  const request = proofRequest(agent_id, data)
  const { body } = await verifier.ask('complete-session', { session_id }, request)
  return (body as { data: SessionDocument }).data
}

/** A token, after a right proof. */
export async function tokenOf(verifier: TestVerifier): Promise<string> {
  const session = await openSession(verifier)
  const { attributes } = await completeSession(verifier, session.id, proofFor(session))
  return attributes.token ?? ''
}
