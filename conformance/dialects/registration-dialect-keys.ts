import type { DialectKeyRow } from './dialect-key.ts'

/** Forms of agent registration. */
export const REGISTRATION_KEYS = {
  'registration-ek': {
    about: 'whether a registration with an EK certificate also has the EK',
    values: ['ekcert-only', 'ekcert-and-ek_tpm'],
    document: 'ekcert-only',
    keylime: 'ekcert-and-ek_tpm',
    lines: [46, 53],
    ambiguity: 'EKNOCERT',
  },
  'ekcert-encoding': {
    about: 'encoding of the EK certificate in a registration',
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
    about: 'members iak_cert and idevid_cert of a registration without these certificates',
    values: ['absent', 'null'],
    document: 'absent',
    keylime: 'null',
    lines: [53],
  },
  'activate-path': {
    about: 'path of an activation up to API 2.5: with or without `/activate`',
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
    about: 'HMAC key of the activation tag: the secret in base64, or its bytes',
    values: ['base64-text', 'raw'],
    document: 'base64-text',
    keylime: 'base64-text',
    lines: [53],
    ambiguity: 'AUTHTAG',
  },
} as const satisfies Readonly<Record<string, DialectKeyRow>>
