import { nearest } from '../target/nearest.ts'

/** One place in which deployments that mean the same write it differently. */
export interface DialectKeyRow {
  readonly about: string
  readonly values: readonly string[]
  /** What the interface document prints, or the more literal of its two readings. */
  readonly document: string
  /** What agents and tenants of Keylime send, and what its servers answer to. */
  readonly keylime: string
  /** Lines of the interface document that speak of it. */
  readonly lines: readonly number[]
  /** Row of the ambiguity table. */
  readonly ambiguity?: string
}

/**
 * Every choice of form that a client has to make. It is a choice of words only: what is proven, and what
 * must be refused, is the same in every dialect.
 */
export const DIALECT_KEYS = {
  'push-enrolment': {
    about: 'how an administrator makes a push agent known to the verifier',
    values: ['v2-add-agent'],
    document: 'v2-add-agent',
    keylime: 'v2-add-agent',
    lines: [192, 210, 240],
    ambiguity: 'PUSHENROL',
  },
  'push-registration': {
    about:
      'API version under which a push agent registers: that of its attestations, or the newest 2.x',
    values: ['same', 'v2'],
    document: 'same',
    keylime: 'v2',
    lines: [16, 276, 281],
    ambiguity: 'SAMEREG',
  },
  'verifier-prefix': {
    about: 'path prefix of API 3.0 at the verifier',
    values: ['v3', 'v3.0'],
    document: 'v3',
    keylime: 'v3.0',
    lines: [192, 240, 273, 406],
    ambiguity: 'V3',
  },
  'media-type': {
    about: 'media type of request bodies in API 3.0 at the verifier',
    values: ['json', 'vnd-api-json'],
    document: 'json',
    keylime: 'vnd-api-json',
    lines: [18],
  },
  'offered-algorithms': {
    about: 'whether tpm_quote offers what the attestation key can do, or all that the TPM can',
    values: ['key', 'tpm'],
    document: 'key',
    keylime: 'tpm',
    lines: [144],
  },
  'available-subjects': {
    about: 'available_subjects and selected_subjects: PCR numbers, or an object from bank to them',
    values: ['list', 'object'],
    document: 'list',
    keylime: 'object',
    lines: [144, 148],
  },
  'quoted-pcrs': {
    about: 'PCRs of a quote: those that were selected, or PCR 16 as well',
    values: ['selected', 'selected-and-16'],
    document: 'selected',
    keylime: 'selected-and-16',
    lines: [63, 148],
    ambiguity: 'MASK16',
  },
  'certification-key-public': {
    about: 'structure inside `public` of a certification key',
    values: ['tpm2b', 'tpmt'],
    document: 'tpm2b',
    keylime: 'tpmt',
    lines: [145],
    ambiguity: 'PUBENC',
  },
  'certification-key-local-identifier': {
    about: 'whether a certification key carries `local_identifier`, its TPM name in hex',
    values: ['absent', 'present'],
    document: 'absent',
    keylime: 'present',
    lines: [145],
  },
  'ima-offer-versions': {
    about: 'whether ima_log offers component_version and evidence_version',
    values: ['present', 'absent'],
    document: 'present',
    keylime: 'absent',
    lines: [146],
  },
  'challenge-bytes': {
    about: 'what of a challenge goes into qualifying data: the bytes it decodes to, or its text',
    values: ['decoded', 'text'],
    document: 'decoded',
    keylime: 'decoded',
    lines: [148, 161],
    ambiguity: 'NONCEENC',
  },
  'evidence-path': {
    about: 'which path takes evidence: the index of the attestation, or `latest`',
    values: ['index', 'latest'],
    document: 'index',
    keylime: 'index',
    lines: [241, 242],
  },
  'subject-data': {
    about: 'subject_data: an object from PCR number to hex value, or the PCR blob of tpm2-tools',
    values: ['object', 'blob'],
    document: 'object',
    keylime: 'blob',
    lines: [151],
  },
  'ima-entries': {
    about: 'entries of a text measurement list: as they are, or in base64',
    values: ['raw', 'base64'],
    document: 'raw',
    keylime: 'raw',
    lines: [152],
    ambiguity: 'ENTRIES',
  },
  'ima-entry-count': {
    about: 'whether a measurement list comes with its entry_count',
    values: ['present', 'absent'],
    document: 'present',
    keylime: 'present',
    lines: [152],
  },
  'boot-policy-names': {
    about: 'names of the boot policy in the add-agent request',
    values: ['mb_refstate', 'mb_policy', 'both'],
    document: 'mb_refstate',
    keylime: 'mb_policy',
    lines: [66, 100],
    ambiguity: 'MBNAMES',
  },
  'verify-evidence-body': {
    about: 'body of verify/evidence: its members at the top, or under `data` beside a `type`',
    values: ['flat', 'typed'],
    document: 'flat',
    keylime: 'typed',
    lines: [184],
  },
  'boot-log-name': {
    about: 'name of the boot log in verify/evidence',
    values: ['mb_list', 'mb_log'],
    document: 'mb_list',
    keylime: 'mb_log',
    lines: [184],
    ambiguity: 'MBNAMES',
  },
  'policy-delete-path': {
    about: 'path on which a named runtime policy is deleted',
    values: ['allowlist', 'allowlists'],
    document: 'allowlist',
    keylime: 'allowlists',
    lines: [262],
    ambiguity: 'ALLOWPATH',
  },
  'registration-ek': {
    about: 'whether a registration with an EK certificate carries the EK too',
    values: ['ekcert-only', 'ekcert-and-ek_tpm'],
    document: 'ekcert-only',
    keylime: 'ekcert-and-ek_tpm',
    lines: [46, 53],
    ambiguity: 'EKNOCERT',
  },
  'ekcert-encoding': {
    about: 'text of the EK certificate in a registration',
    values: ['der-base64', 'pem'],
    document: 'der-base64',
    keylime: 'pem',
    lines: [47],
  },
  'port-type': {
    about: 'type of `port` in a registration',
    values: ['string', 'integer'],
    document: 'string',
    keylime: 'integer',
    lines: [50, 53],
    ambiguity: 'PORT',
  },
  'identity-certificates': {
    about: 'members iak_cert and idevid_cert of a registration that has neither',
    values: ['absent', 'null'],
    document: 'absent',
    keylime: 'null',
    lines: [53],
  },
  'activate-path': {
    about: 'path of an activation up to API 2.5: with `/activate`, or the agent alone',
    values: ['activate', 'agent'],
    document: 'activate',
    keylime: 'agent',
    lines: [281],
    ambiguity: 'PUTAGENT',
  },
  'blob-header': {
    about: 'whether the registration blob starts with the header of a tpm2-tools credential file',
    values: ['tools', 'bare'],
    document: 'tools',
    keylime: 'tools',
    lines: [53],
    ambiguity: 'BLOBENC',
  },
  'auth-tag-key': {
    about: 'HMAC key of the activation tag: the base64 text of the secret, or its bytes',
    values: ['base64-text', 'raw'],
    document: 'base64-text',
    keylime: 'base64-text',
    lines: [53],
    ambiguity: 'AUTHTAG',
  },
} as const satisfies Readonly<Record<string, DialectKeyRow>>

type Keys = typeof DIALECT_KEYS
export type DialectKey = keyof Keys

/** One value for each key. */
export type Dialect = { readonly [Key in DialectKey]: Keys[Key]['values'][number] }

export const DIALECT_NAMES = ['document', 'keylime'] as const
export type DialectName = (typeof DIALECT_NAMES)[number]

/** The dialects that ship; all others are one of these with some values replaced. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  document: columnOf('document'),
  keylime: columnOf('keylime'),
}

function columnOf(name: DialectName): Dialect {
  const rows = Object.entries(DIALECT_KEYS).map(([key, row]) => [key, row[name]])
  return Object.fromEntries(rows) as Dialect
}

/** What a person asks for: one of the dialects that ship, and what is different in theirs. */
export interface DialectChoice {
  readonly base: string
  readonly values: Readonly<Record<string, string>>
}

/** The dialect, or one sentence on what is not known, and under which key of `values` it stands. */
export type DialectResolution =
  | { readonly dialect: Dialect }
  | { readonly problem: string; readonly key?: string }

/** The dialect that a choice names. Nothing is taken silently: an unknown word comes back with the nearest known one. */
export function resolveDialect({ base, values }: DialectChoice): DialectResolution {
  const start = DIALECT_NAMES.find((name) => name === base)
  if (start === undefined) {
    return { problem: `there is no dialect ${quoted(base)}; ${suggest(base, DIALECT_NAMES)}` }
  }
  for (const [key, value] of Object.entries(values)) {
    const problem = problemOf(key, value)
    if (problem !== undefined) return { problem, key }
  }
  return { dialect: { ...DIALECTS[start], ...values } as Dialect }
}

function problemOf(key: string, value: string): string | undefined {
  if (!isDialectKey(key)) {
    return `a dialect has no key ${quoted(key)}; ${suggest(key, Object.keys(DIALECT_KEYS))}`
  }
  const known: readonly string[] = DIALECT_KEYS[key].values
  if (known.includes(value)) return undefined
  return `${key} of a dialect cannot be ${quoted(value)}; ${suggest(value, known)}`
}

function isDialectKey(key: string): key is DialectKey {
  return Object.hasOwn(DIALECT_KEYS, key)
}

function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
