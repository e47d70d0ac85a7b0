import type { KeyObject } from 'node:crypto'
import { WireError } from '../bytes/wire-error.ts'
import { type KeyProblem, keyProblems } from '../tpm/check-attestation-key.ts'
import { attempt } from '../tpm/codec.ts'
import { type PublicArea, TPM2B_PUBLIC } from '../tpm/public.ts'
import { publicKeyOf } from '../tpm/public-key.ts'
import { UnsupportedKey } from '../tpm/unsupported-key.ts'

/** A public key with the area it came from. */
export interface AttestationKey {
  readonly area: PublicArea
  /** the TPMT_PUBLIC as received, which is what its Name is made of */
  readonly received: Uint8Array
  readonly key: KeyObject
  /** demands on an attestation key that this one does not meet */
  readonly unmet: readonly KeyProblem[]
}

/** A read of hostile bytes that went well or did not. */
export type Read<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Error; readonly value?: undefined }

/** Keys that are kept; an agent has one, and reading it costs as much as verifying under it. */
const KEPT = 1024
const kept = new Map<string, Read<AttestationKey>>()

/** The key in a TPM2B_PUBLIC; the last ones that could be read are remembered by their bytes. */
export function readAttestationKey(tpm2bPublic: Uint8Array): Read<AttestationKey> {
  const id = Buffer.from(tpm2bPublic.buffer, tpm2bPublic.byteOffset, tpm2bPublic.length)
  const bytes = id.toString('latin1')
  const known = kept.get(bytes)
  if (known) return known
  // A copy, as what is kept must not change when the caller's bytes do.
  const read = decodeKey(new Uint8Array(tpm2bPublic))
  if (read.value) keep(bytes, read)
  return read
}

/** The oldest goes first; whoever brings many keys makes others be read again, and nothing worse. */
function keep(bytes: string, read: Read<AttestationKey>): void {
  const [oldest] = kept.size >= KEPT ? kept.keys() : []
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(bytes, read)
}

function decodeKey(tpm2bPublic: Uint8Array): Read<AttestationKey> {
  const { value, problem } = attempt(TPM2B_PUBLIC, tpm2bPublic)
  if (problem) return { problem }
  const area = value.contents
  return guarded(() => {
    const key = publicKeyOf(area)
    return { area, received: value.bytes, key, unmet: keyProblems(area) }
  })
}

/** Runs a read; what is wrong with the bytes is returned, what is wrong with us is thrown. */
export function guarded<T>(read: () => T): Read<T> {
  try {
    return { value: read() }
  } catch (problem) {
    if (problem instanceof WireError || problem instanceof UnsupportedKey) return { problem }
    throw problem
  }
}
