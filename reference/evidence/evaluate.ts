import type { FailureReason, Finding } from './findings.ts'
import type { RuntimePolicy } from './ima/runtime-policy.ts'
import type { TpmPolicy } from './tpm-policy.ts'

/** PCR values as plain data: bank -> PCR number -> lower-case hex. */
export type PcrReport = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Clock part of an attestation (TPMS_CLOCK_INFO) */
export interface ClockState {
  /** milliseconds */
  readonly clock: bigint
  readonly resetCount: number
  readonly restartCount: number
}

/** The claimed PCR values as they came: a blob, or whatever stood in `subject_data`. */
export type ClaimedSource =
  | { readonly form: 'blob'; readonly bytes: Uint8Array }
  | { readonly form: 'subject_data'; readonly value: unknown; readonly bank: string }

/** An IMA list and where it starts. */
export interface ImaEvidence {
  readonly format: 'ascii' | 'binary'
  readonly bytes: Uint8Array
  /** number of entries before this list that an earlier evaluation certified */
  readonly startingOffset: number
  /** bank -> lower-case hex of PCR 10 after those entries; needed when the offset is above 0 */
  readonly carried?: Readonly<Record<string, string>>
}

/** Everything one evaluation depends on; the bytes are hostile, the expectations are the verifier's own. */
export interface EvidenceCase {
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
  /** what must be inside the signed selection */
  readonly requestedPcrs: { readonly bank: string; readonly pcrs: readonly number[] }
  readonly quote: {
    /** TPMS_ATTEST, without size prefix */
    readonly message: Uint8Array
    /** TPMT_SIGNATURE */
    readonly signature: Uint8Array
    readonly claimed: ClaimedSource
  }
  /** clock of the last quote of this TPM that passed */
  readonly previousClock?: ClockState
  readonly ima?: ImaEvidence
  /** TCG event log, binary */
  readonly uefi?: Uint8Array
  /** judges the IMA list; without one the list is replayed only */
  readonly runtimePolicy?: RuntimePolicy
  readonly tpmPolicy?: TpmPolicy
  /** `required`: the log must be there and replay to PCR 0-9 and 11-15, or to `pcrs` when given */
  readonly measuredBoot?: { readonly required: boolean; readonly pcrs?: readonly number[] }
  /** accept IMA violation entries */
  readonly ignoreTomtouErrors?: boolean
}

/** What an evaluation found; plain data except for the clock's bigint. */
export interface Evaluation {
  readonly verdict: 'pass' | 'fail'
  /** set only when the verdict is `fail` */
  readonly failureReason?: FailureReason
  readonly findings: readonly Finding[]
  /** set when the quote passed, whatever the policies said */
  readonly verifiedPcrs?: PcrReport
  /** set when the quote passed */
  readonly clock?: ClockState
  /** set when the list replayed to the quoted PCR 10 */
  readonly ima?: {
    /** entries of this list that the quoted PCR 10 covers */
    readonly entriesCertified: number
    /** entries of this list, covered or not */
    readonly entries: number
    /** bank -> lower-case hex of PCR 10 after the certified entries, for the next `carried` */
    readonly carried: Readonly<Record<string, string>>
  }
}

/** Judges evidence. Hostile bytes end as findings, never as exceptions. */
export function evaluate(_evidence: EvidenceCase): Evaluation {
  throw new Error('not written yet')
}
