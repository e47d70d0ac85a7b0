import type { DerFaultKind } from './strict-der.ts'

/** Tolerated deviations of TPM vendors from the standards: id, and the reason. */
const WORKAROUNDS = {
  'nv-padding':
    'the index in a TPM’s memory is larger than its certificate, and zeros or unwritten bytes follow',
  'nv-header':
    'tools of TPM 1.2 left a header of 7 bytes before a certificate (TCG PC Client, TCG_FULL_CERT)',
  'set-order': 'Nuvoton wrote names as a set in another order than that of their bytes',
  'critical-default':
    'Intel wrote out that an extension is not critical, which is what its absence says',
  'constraints-default':
    'Intel wrote out that a certificate is not one of an authority, which is what its absence says',
  boolean: 'BER has 255 ways to write true, and DER one',
  'bit-padding': 'unused bits should be zero',
  'rsaes-oaep':
    'STMicroelectronics labelled keys RSAES-OAEP, under which most readers do not load them',
  'serial-number':
    'a serial number should be positive, and have at most 20 bytes (RFC 5280, 4.1.2.2)',
  'time-form': 'a year before 2050 should be written with two digits (RFC 5280, 4.1.2.5)',
  'tpm-specification':
    'what it says of the TPM specification cannot be read, and no check relies on it',
} as const

export type WorkaroundId = keyof typeof WORKAROUNDS

/** One place where something was read that is not as it should be. */
export interface Workaround {
  readonly id: WorkaroundId
  /** Byte offset in the input. */
  readonly at: number
}

/** Faults of DER under which a certificate is read; under any other it is refused. */
export const TOLERATED: ReadonlyMap<DerFaultKind, WorkaroundId> = new Map([
  ['set-order', 'set-order'],
  ['critical-default', 'critical-default'],
  ['constraints-default', 'constraints-default'],
  ['boolean', 'boolean'],
  ['bit-padding', 'bit-padding'],
])

/** A workaround as a clause: `set-order at byte 42`. */
export function presentWorkaround({ id, at }: Workaround): string {
  return `${id} at byte ${at} (${WORKAROUNDS[id]})`
}
