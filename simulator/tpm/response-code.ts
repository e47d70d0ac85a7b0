/** TPM_RC (Part 2, 6.6): the three families of codes and how they are spelled. */

const VERSION_1: Readonly<Record<number, string>> = {
  0: 'INITIALIZE',
  1: 'FAILURE',
  3: 'SEQUENCE',
  11: 'PRIVATE',
  25: 'HMAC',
  32: 'DISABLED',
  33: 'EXCLUSIVE',
  36: 'AUTH_TYPE',
  37: 'AUTH_MISSING',
  38: 'POLICY',
  39: 'PCR',
  40: 'PCR_CHANGED',
  45: 'UPGRADE',
  46: 'TOO_MANY_CONTEXTS',
  47: 'AUTH_UNAVAILABLE',
  48: 'REBOOT',
  49: 'UNBALANCED',
  66: 'COMMAND_SIZE',
  67: 'COMMAND_CODE',
  68: 'AUTHSIZE',
  69: 'AUTH_CONTEXT',
  70: 'NV_RANGE',
  71: 'NV_SIZE',
  72: 'NV_LOCKED',
  73: 'NV_AUTHORIZATION',
  74: 'NV_UNINITIALIZED',
  75: 'NV_SPACE',
  76: 'NV_DEFINED',
  80: 'BAD_CONTEXT',
  81: 'CPHASH',
  82: 'PARENT',
  83: 'NEEDS_TEST',
  84: 'NO_RESULT',
  85: 'SENSITIVE',
}

const FORMAT_1: Readonly<Record<number, string>> = {
  1: 'ASYMMETRIC',
  2: 'ATTRIBUTES',
  3: 'HASH',
  4: 'VALUE',
  5: 'HIERARCHY',
  7: 'KEY_SIZE',
  8: 'MGF',
  9: 'MODE',
  10: 'TYPE',
  11: 'HANDLE',
  12: 'KDF',
  13: 'RANGE',
  14: 'AUTH_FAIL',
  15: 'NONCE',
  16: 'PP',
  18: 'SCHEME',
  21: 'SIZE',
  22: 'SYMMETRIC',
  23: 'TAG',
  24: 'SELECTOR',
  26: 'INSUFFICIENT',
  27: 'SIGNATURE',
  28: 'KEY',
  29: 'POLICY_FAIL',
  31: 'INTEGRITY',
  32: 'TICKET',
  33: 'RESERVED_BITS',
  34: 'BAD_AUTH',
  35: 'EXPIRED',
  36: 'POLICY_CC',
  37: 'BINDING',
  38: 'CURVE',
  39: 'ECC_POINT',
}

const WARNING: Readonly<Record<number, string>> = {
  1: 'CONTEXT_GAP',
  2: 'OBJECT_MEMORY',
  3: 'SESSION_MEMORY',
  4: 'MEMORY',
  5: 'SESSION_HANDLES',
  6: 'OBJECT_HANDLES',
  7: 'LOCALITY',
  8: 'YIELDED',
  9: 'CANCELED',
  10: 'TESTING',
  32: 'NV_RATE',
  33: 'LOCKOUT',
  34: 'RETRY',
  35: 'NV_UNAVAILABLE',
}

/** Response codes that this side returns or compares by name. */
export const TPM_RC = {
  SUCCESS: 0x000,
  INSUFFICIENT: 0x09a,
  COMMAND_SIZE: 0x142,
  YIELDED: 0x908,
  TESTING: 0x90a,
  RETRY: 0x922,
} as const

/** Returns `TPM_RC_INTEGRITY` and the like for the low bits of a format-one code, with the operand. */
function formatOneName(code: number): string | undefined {
  const name = FORMAT_1[code & 0x3f]
  if (name === undefined) return undefined
  const number = (code >> 8) & 0xf
  if (code & 0x40) return `TPM_RC_${name} (parameter ${number})`
  if (number === 0) return `TPM_RC_${name}`
  return number & 8 ? `TPM_RC_${name} (session ${number & 7})` : `TPM_RC_${name} (handle ${number})`
}

/** Returns `TPM_RC_REFERENCE_H0`…`S6`: the warnings about a handle or session that is not loaded. */
function referenceName(low: number): string | undefined {
  if (low >= 0x10 && low <= 0x16) return `REFERENCE_H${low - 0x10}`
  if (low >= 0x18 && low <= 0x1e) return `REFERENCE_S${low - 0x18}`
  return undefined
}

function formatZeroName(code: number): string | undefined {
  if (code === 0) return 'TPM_RC_SUCCESS'
  if (code === 0x01e) return 'TPM_RC_BAD_TAG'
  const low = code & 0x7f
  const table = code & 0x800 ? WARNING : VERSION_1
  const name = (code & 0x800 ? referenceName(low) : undefined) ?? table[low]
  return name === undefined ? undefined : `TPM_RC_${name}`
}

/**
 * Returns the specification name of a response code, e.g. `TPM_RC_SUCCESS`, `TPM_RC_RETRY`, `TPM_RC_INTEGRITY
 * (parameter 1)`; for an unknown code, `TPM_RC 0x…`.
 */
export function responseCodeName(code: number): string {
  const known = code & 0x80 ? formatOneName(code) : formatZeroName(code)
  return known ?? `TPM_RC 0x${code.toString(16).padStart(8, '0')}`
}
