import type { KeyObject } from 'node:crypto'
import { WireError } from '../bytes/wire-error.ts'
import { type Attest, type QuoteInfo, TPMS_ATTEST } from '../tpm/attest.ts'
import { type Attempt, attempt } from '../tpm/codec.ts'
import { type PublicArea, TPM2B_PUBLIC } from '../tpm/public.ts'
import { publicKeyOf } from '../tpm/public-key.ts'
import { type Signature, TPMT_SIGNATURE } from '../tpm/signature.ts'
import { UnsupportedKey } from '../tpm/unsupported-key.ts'
import type { ClaimedPcrs } from './claimed-pcrs.ts'
import { parsePcrBlob } from './pcr-blob.ts'
import { parseSubjectData } from './subject-data.ts'

/** The claimed PCR values as they came: a blob, or whatever stood in `subject_data`. */
export type ClaimedSource =
  | { readonly form: 'blob'; readonly bytes: Uint8Array }
  | { readonly form: 'subject_data'; readonly value: unknown; readonly bank: string }

/** Clock part of an attestation (TPMS_CLOCK_INFO) without `safe`, which must be 1. */
export interface QuoteClock {
  /** milliseconds */
  readonly clock: bigint
  readonly resetCount: number
  readonly restartCount: number
}

/** What was received and what it has to be; see `EvidenceCase` for the fields. */
export interface QuoteInput {
  readonly attestationKey: Uint8Array
  readonly nonce: Uint8Array | readonly Uint8Array[]
  readonly hashAlgorithm: string
  readonly signatureScheme?: string
  readonly acceptedHashes: readonly string[]
  readonly acceptedSchemes: readonly string[]
  readonly requestedPcrs: { readonly bank: string; readonly pcrs: readonly number[] }
  readonly quote: {
    readonly message: Uint8Array
    readonly signature: Uint8Array
    readonly claimed: ClaimedSource
  }
  readonly previousClock?: QuoteClock
}

/** A public key with the area it came from. */
export interface AttestationKey {
  readonly area: PublicArea
  /** the TPMT_PUBLIC as received, which is what its Name is made of */
  readonly received: Uint8Array
  readonly key: KeyObject
}

/** A read of hostile bytes that went well or did not. */
export type Read<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Error; readonly value?: undefined }

/** What quote checks look at: each received part, read as far as it can be. */
export interface QuoteCase {
  readonly expected: QuoteInput
  readonly key: Read<AttestationKey>
  readonly attest: Attempt<Attest>
  readonly signature: Attempt<Signature>
  readonly claimed: Read<ClaimedPcrs>
}

/** Reads the parts of a quote; what is malformed is kept as a problem for the checks to report. */
export function readQuoteCase(expected: QuoteInput): QuoteCase {
  return {
    expected,
    key: readAttestationKey(expected.attestationKey),
    attest: attempt(TPMS_ATTEST, expected.quote.message),
    signature: attempt(TPMT_SIGNATURE, expected.quote.signature),
    claimed: readClaimed(expected.quote.claimed),
  }
}

/** The key in a TPM2B_PUBLIC. */
export function readAttestationKey(tpm2bPublic: Uint8Array): Read<AttestationKey> {
  const { value, problem } = attempt(TPM2B_PUBLIC, tpm2bPublic)
  if (problem) return { problem }
  return guarded(() => ({
    area: value.contents,
    received: value.bytes,
    key: publicKeyOf(value.contents),
  }))
}

function readClaimed(source: ClaimedSource): Read<ClaimedPcrs> {
  return guarded(() =>
    source.form === 'blob'
      ? parsePcrBlob(source.bytes)
      : parseSubjectData(source.value, source.bank),
  )
}

function guarded<T>(read: () => T): Read<T> {
  try {
    return { value: read() }
  } catch (problem) {
    if (problem instanceof WireError || problem instanceof UnsupportedKey) return { problem }
    throw problem
  }
}

/** The quoted part of the attestation, when it is one. */
export function quoteInfoOf(subject: QuoteCase): QuoteInfo | undefined {
  const attested = subject.attest.value?.attested
  return attested?.kind === 'quote' ? attested.value : undefined
}
