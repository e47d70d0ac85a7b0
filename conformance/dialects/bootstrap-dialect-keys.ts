import type { DialectKeyRow } from './dialect-key.ts'

/** Forms of the bootstrap keys of a pull agent. */
export const BOOTSTRAP_KEYS = {
  'bootstrap-padding': {
    about: 'padding of the V key and the U key: OAEP with SHA-1 or SHA-256, or PKCS #1 v1.5',
    values: ['oaep', 'oaep-sha256', 'pkcs1'],
    document: 'oaep',
    keylime: 'oaep',
    lines: [14, 174, 290],
    ambiguity: 'PADDING',
  },
  'bootstrap-derivation': {
    about: 'K of U and V: their XOR, SHA-256 of U and V, or HKDF-SHA-256 of U with V as salt',
    values: ['xor', 'sha256', 'hkdf-sha256'],
    document: 'xor',
    keylime: 'xor',
    lines: [14],
    ambiguity: 'KDERIVE',
  },
  'ukey-tag': {
    about: 'text of `auth_tag` of keys/ukey',
    values: ['hex', 'base64'],
    document: 'hex',
    keylime: 'hex',
    lines: [291, 391],
    ambiguity: 'TAGENC',
  },
  'verify-hmac': {
    about: 'hash and text of `hmac` of keys/verify',
    values: ['sha384-hex', 'sha384-base64', 'sha256-hex'],
    document: 'sha384-hex',
    keylime: 'sha384-hex',
    lines: [175, 292],
    ambiguity: 'HMACALG',
  },
} as const satisfies Readonly<Record<string, DialectKeyRow>>
