/** Parts of a sample transcript, for tests and for the example report. Nothing in it was ever sent. */
import type {
  NoteEntry,
  TlsFacts,
  TpmEntry,
  TranscriptEntry,
  WireEntry,
} from '../transcripts/transcript-entry.ts'

export const AGENT = '0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3'
export const SESSION = '5b0e7c1f-93a4-4d26-8f7e-b1c2d3e4f506'
export const VERIFIER = 'https://127.0.0.1:8881'
export const REGISTRAR = 'https://127.0.0.1:8891'

const SERVER = '9c41d2e8a07b35f6c1e94d7a20b8536fd2e1907c4ab8635e1f7d0c92ab4e6835'

/** TLS facts of an agent, which presents no client certificate. */
export const AS_AGENT: TlsFacts = {
  protocol: 'TLSv1.3',
  resumed: false,
  server_certificate_sha256: SERVER,
}

/** TLS facts of an administrator. */
export const AS_ADMIN: TlsFacts = { ...AS_AGENT, client_certificate: 'CN=client' }

/** Filler that looks like base64 and is the same each time. */
export const blob = (label: string, bytes: number): string => {
  const pattern = new TextEncoder().encode(`made-up ${label} `)
  const filler = Uint8Array.from(
    { length: bytes },
    (_, at) => (pattern[at % pattern.length] ?? 0) ^ (at >> 3),
  )
  return Buffer.from(filler).toString('base64')
}

const hexOf = (label: string, bytes: number): string =>
  Buffer.from(blob(label, bytes), 'base64').toString('hex')

export const note = (at_ms: number, text: string): NoteEntry => ({ lane: 'note', at_ms, text })

interface Call {
  readonly at_ms: number
  readonly ms: number
  readonly speaker: string
  readonly tls: TlsFacts
  readonly send: string
  readonly bearer?: boolean
  readonly body?: unknown
  readonly status: number
  readonly reply: unknown
}

const requestHeaders = (call: Call): Readonly<Record<string, string>> => ({
  accept: 'application/json',
  ...(call.bearer === true ? { authorization: `Bearer ${SESSION}.[redacted 43 characters]` } : {}),
  ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
})

const asBody = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** One exchange; `send` is `METHOD url`. */
export const exchange = (call: Call): WireEntry => {
  const [method = 'GET', url = ''] = call.send.split(' ')
  const body = asBody(call.reply)
  const length = String(new TextEncoder().encode(body).length)
  return {
    lane: 'wire',
    at_ms: call.at_ms,
    ms: call.ms,
    speaker: call.speaker,
    tls: call.tls,
    request: {
      method,
      url,
      headers: requestHeaders(call),
      ...(call.body === undefined ? {} : { body: asBody(call.body) }),
    },
    response: {
      status: call.status,
      headers: { 'content-type': 'application/json', 'content-length': length },
      body,
    },
  }
}

/** A `TPM2_Quote` over a nonce, as the broker would record it. */
export const quote = (at_ms: number, nonce: string): TpmEntry => ({
  lane: 'tpm',
  at_ms,
  ms: 31,
  machine: 'machine-1',
  command: 'TPM2_Quote',
  detail: [
    'signHandle      0x81010002',
    `qualifyingData  ${nonce}`,
    'inScheme        TPM_ALG_RSASSA, TPM_ALG_SHA256',
    'PCRselect       TPM_ALG_SHA256: 0-10, 14',
    'quoted          TPMS_ATTEST, 145 bytes; pcrDigest 6c3f0a…91',
  ].join('\n'),
  response_code: 'TPM_RC_SUCCESS',
  command_hex: `80020000005700000158${hexOf('quote command', 77)}`,
  response_hex: `80020000019d00000000${hexOf('quote response', 403)}`,
})

const ATTESTATIONS = `${VERIFIER}/v3/agents/${AGENT}/attestations`

const attestation = (index: string, attributes: Readonly<Record<string, unknown>>) => ({
  data: {
    type: 'attestation',
    id: index,
    attributes,
    links: { self: `/v3/agents/${AGENT}/attestations/${index}` },
  },
})

/** Capabilities, and the challenge in the reply. */
export const negotiated = (at_ms: number, index: string, nonce: string): TranscriptEntry =>
  exchange({
    at_ms,
    ms: 42,
    speaker: `agent ${AGENT}`,
    tls: AS_AGENT,
    bearer: true,
    send: `POST ${ATTESTATIONS}`,
    body: {
      data: {
        type: 'attestation',
        attributes: {
          evidence_supported: [
            {
              evidence_class: 'certification',
              evidence_type: 'tpm_quote',
              capabilities: { signature_schemes: ['rsassa'], hash_algorithms: ['sha256'] },
            },
          ],
          system_info: { boot_time: '2026-11-20T15:48:02Z' },
        },
      },
    },
    status: 201,
    reply: attestation(index, {
      stage: 'awaiting_evidence',
      evidence_requested: [
        {
          evidence_class: 'certification',
          evidence_type: 'tpm_quote',
          chosen_parameters: {
            challenge: nonce,
            signature_scheme: 'rsassa',
            hash_algorithm: 'sha256',
          },
        },
      ],
      capabilities_received_at: '2026-11-20T16:02:14.201377Z',
      challenges_expire_at: '2026-11-20T16:32:14.201377Z',
    }),
  })

/** Evidence, and its acknowledgement. */
export const submitted = (at_ms: number, index: string): TranscriptEntry =>
  exchange({
    at_ms,
    ms: 55,
    speaker: `agent ${AGENT}`,
    tls: AS_AGENT,
    bearer: true,
    send: `PATCH ${ATTESTATIONS}/latest`,
    body: {
      data: {
        type: 'attestation',
        attributes: {
          evidence_collected: [
            {
              evidence_class: 'certification',
              evidence_type: 'tpm_quote',
              data: {
                subject_data: { '10': 'b1f8c0…', '14': '000000…' },
                message: blob('TPMS_ATTEST', 145),
                signature: blob('TPMT_SIGNATURE', 262),
              },
            },
            {
              evidence_class: 'log',
              evidence_type: 'ima_log',
              data: { entry_count: 412, entries: blob('IMA list', 6000) },
            },
          ],
        },
      },
    },
    status: 202,
    reply: {
      ...attestation(index, {
        stage: 'evaluating_evidence',
        evidence_received_at: '2026-11-20T16:02:14.302918Z',
      }),
      meta: { seconds_to_next_attestation: 60 },
    },
  })

/** The administrator reads the attestation. */
export const settled = (at_ms: number, index: string, evaluation: string, reason: string | null) =>
  exchange({
    at_ms,
    ms: 12,
    speaker: 'admin',
    tls: AS_ADMIN,
    send: `GET ${ATTESTATIONS}/latest`,
    status: 200,
    reply: attestation(index, {
      stage: 'verification_complete',
      evaluation,
      failure_reason: reason,
      verification_completed_at: '2026-11-20T16:02:14.377120Z',
    }),
  })

/** The administrator reads an agent of the registrar. */
export const agentRead = (status: number, results: object) =>
  exchange({
    at_ms: 3,
    ms: 8,
    speaker: 'admin',
    tls: AS_ADMIN,
    send: `GET ${REGISTRAR}/v2.5/agents/${AGENT}`,
    status,
    reply: { code: status, status: status === 200 ? 'Success' : 'Error', results },
  })
