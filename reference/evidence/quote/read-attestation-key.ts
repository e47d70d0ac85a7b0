import type { KeyObject } from 'node:crypto'
import { WireError } from '../../bytes/wire-error.ts'
import { type KeyProblem, keyProblems } from '../../tpm/check-attestation-key.ts'
import { attempt } from '../../tpm/codec.ts'
import { type PublicArea, TPM2B_PUBLIC } from '../../tpm/public.ts'
import { publicKeyOf } from '../../tpm/public-key.ts'
import { UnsupportedKey } from '../../tpm/unsupported-key.ts'

/** A public key with the area it came from. */
export interface AttestationKey {
  readonly area: PublicArea
  /** the TPMT_PUBLIC as received, from which its Name is computed */
  readonly received: Uint8Array
  readonly key: KeyObject
  /** demands on an attestation key that this one does not meet */
  readonly unmet: readonly KeyProblem[]
}

/** A read of hostile bytes that went well or did not. */
export type Read<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Error; readonly value?: undefined }

/** Reads a TPM2B_PUBLIC; keys that could be read are the same object when the bytes are the same. */
type KeyReader = (tpm2bPublic: Uint8Array) => Read<AttestationKey>

/** A reader that caches the last `kept` keys by their bytes. The oldest is evicted first: a client with many keys only causes others to be parsed again. */
export function keyReader(kept: number): KeyReader {
  const known = new Map<string, Read<AttestationKey>>()
  return (tpm2bPublic) => {
    const bytes = latin1(tpm2bPublic)
    const remembered = known.get(bytes)
    if (remembered) return remembered
    // A copy, as the cache must not change with the caller's bytes.
    const read = decodeKey(new Uint8Array(tpm2bPublic))
    if (read.problem) return read
    const [oldest] = known.size >= kept ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    known.set(bytes, read)
    return read
  }
}

/** The reader of this process: an agent has one key, and reading it costs as much as verifying under it. */
export const readAttestationKey: KeyReader = keyReader(1024)

function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
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

/** Runs a read; returns errors in the bytes, rethrows internal errors. */
export function guarded<T>(read: () => T): Read<T> {
  try {
    return { value: read() }
  } catch (problem) {
    if (problem instanceof WireError || problem instanceof UnsupportedKey) return { problem }
    throw problem
  }
}
