import type { DialectKeyRow } from './dialect-key.ts'

/** Forms of push agent enrolment and attestation. */
export const PUSH_KEYS = {
  'push-enrolment': {
    about: 'how an administrator adds a push agent to the verifier',
    values: ['v2-add-agent'],
    document: 'v2-add-agent',
    keylime: 'v2-add-agent',
    lines: [192, 210, 240],
    ambiguity: 'PUSHENROL',
  },
  'agent-address': {
    about:
      'whether a push agent is added with an address and a certificate, as a verifier that only polls requires',
    values: ['none', 'given'],
    document: 'none',
    keylime: 'none',
    lines: [66, 192],
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
    about:
      'whether tpm_quote offers the algorithms of the attestation key, or all algorithms of the TPM',
    values: ['key', 'tpm'],
    document: 'key',
    keylime: 'tpm',
    lines: [144],
  },
  'available-subjects': {
    about:
      'available_subjects and selected_subjects: PCR numbers, or an object from bank to PCR numbers',
    values: ['list', 'object'],
    document: 'list',
    keylime: 'object',
    lines: [144, 148],
  },
  'quoted-pcrs': {
    about: 'PCRs of a quote: the selected ones, or those and PCR 16',
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
    about: 'qualifying data for a challenge: the decoded bytes, or the text',
    values: ['decoded', 'text'],
    document: 'decoded',
    keylime: 'decoded',
    lines: [148, 161],
    ambiguity: 'NONCEENC',
  },
  'evidence-path': {
    about: 'path of an evidence submission: the index of the attestation, or `latest`',
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
    about: 'entries of a text measurement list: plain text, or base64',
    values: ['raw', 'base64'],
    document: 'raw',
    keylime: 'raw',
    lines: [152],
    ambiguity: 'ENTRIES',
  },
  'ima-entry-count': {
    about: 'whether a measurement list has entry_count',
    values: ['present', 'absent'],
    document: 'present',
    keylime: 'present',
    lines: [152],
  },
} as const satisfies Readonly<Record<string, DialectKeyRow>>
