import { createPublicKey, type KeyObject } from 'node:crypto'
import type { OlderName } from '../api/older-names.ts'
import { fromBase64, toBase64 } from '../bytes/base64.ts'
import { WireError } from '../bytes/wire-error.ts'
import { decode } from '../tpm/codec.ts'
import { endorsementArea } from '../tpm/endorsement-template.ts'
import { TPM2B_PUBLIC } from '../tpm/public.ts'
import { publicKeyOf } from '../tpm/public-key.ts'
import { UnsupportedKey } from '../tpm/unsupported-key.ts'

/**
 * Names of a registration in the legacy listing, which has `ek_tpm` as well (ambiguities LEG20 and AKNAME). Of its
 * other members `aik_name` is never believed, as the name is computed from the key (CVE-2021-3406), and
 * `tpm_version` repeats what the keys already show.
 */
export const OLDER_REGISTRATION_NAMES: readonly OlderName[] = [
  { older: 'aik', name: 'aik_tpm', until: '2.0', isSame: isSameKey },
  { older: 'ek', name: 'ek_tpm', until: '2.0', isSame: isSameKey, read: readEndorsementKey },
]

/** A request may use both listings: a key in PEM and the same key in the TPM's format. */
function isSameKey(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const [first, second] = [keyOf(one), keyOf(other)]
  return first !== undefined && second !== undefined && first.equals(second)
}

/** The default EK of that public key, where it is given in PEM; any other value stays as it was sent. */
function readEndorsementKey(value: unknown): unknown {
  const key = isPem(value) ? keyOf(value) : undefined
  const area = key === undefined ? undefined : endorsementArea(key)
  return area === undefined ? value : toBase64(area)
}

function keyOf(value: unknown): KeyObject | undefined {
  if (typeof value !== 'string') return undefined
  return isPem(value) ? keyOfPem(value) : keyOfArea(value)
}

function isPem(value: unknown): value is string {
  return typeof value === 'string' && value.includes('-----BEGIN PUBLIC KEY-----')
}

function keyOfPem(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}

function keyOfArea(base64: string): KeyObject | undefined {
  try {
    return publicKeyOf(decode(TPM2B_PUBLIC, fromBase64(base64)).contents)
  } catch (error) {
    if (error instanceof WireError || error instanceof UnsupportedKey) return undefined
    throw error
  }
}
