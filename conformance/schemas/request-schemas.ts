/**
 * Request schemas of the harness (interface document, "Resources and their fields"). They are closed: a member
 * in neither the document nor a shipped dialect is an error of the harness. Deliberately independent of the
 * reference's shapes.
 */
type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }
const base64: Schema = { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' }
const base64OrNull: Schema = { type: ['string', 'null'], pattern: '^[A-Za-z0-9+/]*={0,2}$' }
const integer: Schema = { type: 'integer', minimum: 0 }
const texts: Schema = { type: 'array', items: text }
const pcrs: Schema = { type: 'array', items: { type: 'integer', minimum: 0, maximum: 23 } }
const uuid: Schema = {
  type: 'string',
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
}

function closed(required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', required, properties, additionalProperties: false }
}

function open(properties: Readonly<Record<string, Schema>>): Schema {
  return closed([], properties)
}

function document(type: string, attributes: Schema): Schema {
  return closed(['data'], {
    data: closed(['type', 'attributes'], { type: { const: type }, id: text, attributes }),
  })
}

const registration = {
  ekcert: textOrNull,
  ek_tpm: base64,
  aik_tpm: base64,
  mtls_cert: textOrNull,
  ip: textOrNull,
  port: { type: ['string', 'integer', 'null'] },
  iak_tpm: base64,
  iak_cert: textOrNull,
  idevid_tpm: base64,
  idevid_cert: textOrNull,
  iak_attest: base64,
  iak_sign: base64,
}

const certificationKey = open({
  key_class: text,
  key_algorithm: text,
  key_size: integer,
  server_identifier: text,
  local_identifier: text,
  allowable_signature_schemes: texts,
  allowable_hash_algorithms: texts,
  public: base64,
})

const quoteOffer = closed(['evidence_class', 'evidence_type', 'capabilities'], {
  evidence_class: { const: 'certification' },
  evidence_type: { const: 'tpm_quote' },
  capabilities: open({
    signature_schemes: texts,
    hash_algorithms: texts,
    available_subjects: {
      anyOf: [pcrs, { type: 'object', additionalProperties: pcrs }],
    },
    certification_keys: { type: 'array', items: certificationKey },
    component_version: text,
    evidence_version: text,
  }),
})

const logOffer = closed(['evidence_class', 'evidence_type', 'capabilities'], {
  evidence_class: { const: 'log' },
  evidence_type: { enum: ['ima_log', 'uefi_log'] },
  capabilities: open({
    entry_count: integer,
    supports_partial_access: { type: 'boolean' },
    appendable: { type: 'boolean' },
    formats: texts,
    component_version: text,
    evidence_version: text,
  }),
})

const quoteData = closed(['subject_data', 'message', 'signature'], {
  subject_data: {
    anyOf: [
      {
        type: 'object',
        propertyNames: { pattern: '^(\\d|1\\d|2[0-3])$' },
        additionalProperties: text,
      },
      base64,
    ],
  },
  message: base64,
  signature: base64,
})

const collected = {
  anyOf: [
    closed(['evidence_class', 'evidence_type', 'data'], {
      evidence_class: { const: 'certification' },
      evidence_type: { const: 'tpm_quote' },
      data: quoteData,
    }),
    closed(['evidence_class', 'evidence_type', 'data'], {
      evidence_class: { const: 'log' },
      evidence_type: { enum: ['ima_log', 'uefi_log'] },
      data: closed(['entries'], { entry_count: integer, entries: text }),
    }),
  ],
}

const method = { authentication_class: { const: 'pop' }, authentication_type: { const: 'tpm_pop' } }
const METHOD_NAMES = ['authentication_class', 'authentication_type']

const evidence = {
  nonce: text,
  quote: { type: 'string', pattern: '^r[^:]+:[^:]+:[^:]+$' },
  hash_alg: text,
  tpm_ak: base64,
  tpm_ek: base64,
  tpm_policy: text,
  runtime_policy: text,
  mb_policy: text,
  ima_measurement_list: text,
  mb_list: text,
  mb_log: text,
}
const reportEvidence = {
  nonce: base64,
  'tee-pubkey-x-b64': text,
  'tee-pubkey-y-b64': text,
  'tee-evidence': closed(['tee', 'evidence'], {
    tee: { const: 'snp' },
    evidence: closed(['snp-report', 'snp-vcek'], { 'snp-report': base64, 'snp-vcek': base64 }),
  }),
}
const EVIDENCE_NAMES = ['nonce', 'quote', 'hash_alg', 'tpm_ak', 'tpm_ek']

const agent = {
  v: base64OrNull,
  cloudagent_ip: textOrNull,
  cloudagent_port: { type: ['string', 'integer', 'null'] },
  tpm_policy: text,
  ak_tpm: base64,
  mtls_cert: textOrNull,
  runtime_policy_name: textOrNull,
  runtime_policy: base64,
  runtime_policy_sig: base64,
  runtime_policy_key: base64,
  mb_refstate: textOrNull,
  mb_policy: textOrNull,
  mb_policy_name: text,
  ima_sign_verification_keys: text,
  metadata: text,
  revocation_key: text,
  accept_tpm_hash_algs: texts,
  accept_tpm_encryption_algs: texts,
  accept_tpm_signing_algs: texts,
  supported_version: text,
}

export interface RequestSchema {
  readonly operation: string
  readonly since: string
  readonly until?: string
  readonly schema: Schema
}

/** One row for each operation and version range with a body. */
export const REQUEST_SCHEMAS: readonly RequestSchema[] = [
  { operation: 'register', since: '1.0', until: '2.5', schema: closed(['aik_tpm'], registration) },
  {
    operation: 'register',
    since: '3.0',
    schema: closed(['agent_id', 'aik_tpm'], { agent_id: uuid, ...registration }),
  },
  {
    operation: 'activate-virtual',
    since: '1.0',
    until: '2.0',
    schema: closed(['deepquote'], { deepquote: text }),
  },
  { operation: 'activate', since: '1.0', schema: closed(['auth_tag'], { auth_tag: text }) },
  {
    operation: 'add-agent',
    since: '1.0',
    until: '2.0',
    schema: open({ ...agent, vtpm_policy: text }),
  },
  { operation: 'add-agent', since: '2.1', until: '2.5', schema: closed(['ak_tpm'], agent) },
  {
    operation: 'create-policy',
    since: '2.1',
    until: '2.5',
    schema: open({
      tpm_policy: text,
      runtime_policy: base64,
      runtime_policy_sig: base64,
      runtime_policy_key: base64,
    }),
  },
  {
    operation: 'create-boot-policy',
    since: '2.3',
    until: '2.5',
    schema: closed(['mb_policy'], { mb_policy: text }),
  },
  {
    operation: 'update-boot-policy',
    since: '2.3',
    until: '2.5',
    schema: closed(['mb_policy'], { mb_policy: text }),
  },
  {
    operation: 'verify-evidence',
    since: '2.4',
    until: '2.5',
    schema: {
      anyOf: [
        closed(EVIDENCE_NAMES, evidence),
        closed(['type', 'data'], {
          type: { const: 'tpm' },
          data: closed(EVIDENCE_NAMES, evidence),
        }),
        closed(['type', 'data'], {
          type: { const: 'tee' },
          data: closed(Object.keys(reportEvidence), reportEvidence),
        }),
      ],
    },
  },
  {
    operation: 'create-session',
    since: '3.0',
    schema: document(
      'session',
      closed(['agent_id', 'authentication_supported'], {
        agent_id: uuid,
        authentication_supported: { type: 'array', items: closed(METHOD_NAMES, method) },
      }),
    ),
  },
  {
    operation: 'complete-session',
    since: '3.0',
    schema: document(
      'session',
      closed(['agent_id', 'authentication_provided'], {
        agent_id: uuid,
        authentication_provided: {
          type: 'array',
          items: closed([...METHOD_NAMES, 'data'], {
            ...method,
            data: closed(['message', 'signature'], { message: base64, signature: base64 }),
          }),
        },
      }),
    ),
  },
  {
    operation: 'negotiate',
    since: '3.0',
    schema: document(
      'attestation',
      closed(['evidence_supported', 'system_info'], {
        evidence_supported: { type: 'array', items: { anyOf: [quoteOffer, logOffer] } },
        system_info: open({ boot_time: text }),
      }),
    ),
  },
  {
    operation: 'submit',
    since: '3.0',
    schema: document(
      'attestation',
      closed(['evidence_collected'], { evidence_collected: { type: 'array', items: collected } }),
    ),
  },
]
