import { type Attest, type QuoteInfo, TPMS_ATTEST } from '../../tpm/attest.ts'
import { type Attempt, attempt } from '../../tpm/codec.ts'
import { type Signature, TPMT_SIGNATURE } from '../../tpm/signature.ts'
import type { ClaimedPcrs } from './claimed-pcrs.ts'
import { parsePcrBlob } from './pcr-blob.ts'
import {
  type AttestationKey,
  guarded,
  type Read,
  readAttestationKey,
} from './read-attestation-key.ts'
import { parseSubjectData } from './subject-data.ts'

/** The claimed PCR values as received: a blob, or the value of `subject_data`. */
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

/** A quote as received, and the expected values; the bytes are untrusted, the expectations are the verifier's own. */
export interface QuoteInput {
  /** TPM2B_PUBLIC of the enrolled attestation key */
  readonly attestationKey: Uint8Array
  /** acceptable values of extraData; any one of them */
  readonly nonce: Uint8Array | readonly Uint8Array[]
  /** hash that the signature must use: `sha256` */
  readonly hashAlgorithm: string
  /** scheme that the signature must use, when one was agreed: `rsassa` */
  readonly signatureScheme?: string
  readonly acceptedHashes: readonly string[]
  readonly acceptedSchemes: readonly string[]
  /** `enc_alg` names of keys that may attest; any supported key without it */
  readonly acceptedKeys?: readonly string[]
  /** PCRs that the signed selection must include */
  readonly requestedPcrs: { readonly bank: string; readonly pcrs: readonly number[] }
  readonly quote: {
    /** TPMS_ATTEST, without size prefix */
    readonly message: Uint8Array
    /** TPMT_SIGNATURE */
    readonly signature: Uint8Array
    readonly claimed: ClaimedSource
  }
  /** clock of the last quote of this TPM that passed */
  readonly previousClock?: QuoteClock
}

/** The input of quote checks: each received part, parsed as far as possible. */
export interface QuoteCase {
  readonly expected: QuoteInput
  readonly key: Read<AttestationKey>
  readonly attest: Attempt<Attest>
  readonly signature: Attempt<Signature>
  readonly claimed: Read<ClaimedPcrs>
}

/** Parses the parts of a quote; malformed parts become problems that the checks report. */
export function readQuoteCase(expected: QuoteInput): QuoteCase {
  return {
    expected,
    key: readAttestationKey(expected.attestationKey),
    attest: attempt(TPMS_ATTEST, expected.quote.message),
    signature: attempt(TPMT_SIGNATURE, expected.quote.signature),
    claimed: readClaimed(expected.quote.claimed),
  }
}

function readClaimed(source: ClaimedSource): Read<ClaimedPcrs> {
  return guarded(() =>
    source.form === 'blob'
      ? parsePcrBlob(source.bytes)
      : parseSubjectData(source.value, source.bank),
  )
}

/** The quoted part of the attestation, when it is one. */
export function quoteInfoOf(subject: QuoteCase): QuoteInfo | undefined {
  const attested = subject.attest.value?.attested
  return attested?.kind === 'quote' ? attested.value : undefined
}
