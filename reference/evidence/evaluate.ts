import type { Check } from './check.ts'
import { type FailureReason, type Finding, failureReason, finding } from './findings.ts'
import type { ImaEntryCase } from './ima/entry-checks.ts'
import { imaEntryChecks } from './ima/entry-checks.ts'
import {
  evaluateIma,
  type ImaCertified,
  type ImaEvidence as ImaList,
  type ImaListCase,
  imaListChecks,
} from './ima/evaluate-ima.ts'
import type { LineMemo } from './ima/line-memo.ts'
import type { RuntimePolicy } from './ima/runtime-policy.ts'
import { evaluateQuote, quoteChecks } from './quote.ts'
import type { ClaimedSource as Claimed, QuoteCase, QuoteClock } from './quote-case.ts'
import { type Severity, type SeverityRule, worstSeverity } from './severity.ts'
import {
  evaluateTpmPolicy,
  type TpmPolicy,
  type TpmPolicyCase,
  type TpmPolicyPcrCase,
  tpmPolicyChecks,
  tpmPolicyPcrChecks,
} from './tpm-policy.ts'
import {
  type BootCase,
  type BootEvaluation,
  bootChecks,
  bootPcrChecks,
  evaluateUefi,
} from './uefi/evaluate-uefi.ts'
import type { PcrReplay } from './uefi/replay.ts'
import { type PcrReport as Pcrs, presentPcrs, type VerifiedPcrs } from './verified-pcrs.ts'

/** PCR values as plain data: bank -> PCR number -> lower-case hex. */
export type PcrReport = Pcrs

/** Clock of an attestation; `safe` is not here, as only quotes with it set pass. */
export type ClockState = QuoteClock

/** The claimed PCR values as they came: a blob, or whatever stood in `subject_data`. */
export type ClaimedSource = Claimed

/** An IMA list and where it starts. */
export type ImaEvidence = ImaList

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
  /** `enc_alg` names of keys that may attest; any supported key without it */
  readonly acceptedKeys?: readonly string[]
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
  /** judges the IMA list, which then has to be there; without a policy a list is replayed only */
  readonly runtimePolicy?: RuntimePolicy
  readonly tpmPolicy?: TpmPolicy
  /** `required`: the log must be there and replay to PCR 0-9 and 11-15, or to `pcrs` when given */
  readonly measuredBoot?: { readonly required: boolean; readonly pcrs?: readonly number[] }
  /** accept IMA violation entries */
  readonly ignoreTomtouErrors?: boolean
  /** how bad each failure is; every failure is of the highest severity without it */
  readonly severityPolicy?: readonly SeverityRule[]
}

/** What an evaluation found; plain data except for the clock's bigint. */
export interface Evaluation {
  readonly verdict: 'pass' | 'fail'
  /** set only when the verdict is `fail` */
  readonly failureReason?: FailureReason
  /** set only when the verdict is `fail` */
  readonly severity?: Severity
  readonly findings: readonly Finding[]
  /** set when the quote passed, whatever the policies said */
  readonly verifiedPcrs?: PcrReport
  /** set when the quote passed */
  readonly clock?: ClockState
  /** set when the list replayed to the quoted PCR 10 */
  readonly ima?: ImaCertified
}

/** The checks of an evaluation, list by list; a list with one taken out is a mutant. */
export interface CheckLists {
  readonly quote: readonly Check<QuoteCase>[]
  readonly tpmPolicy: readonly Check<TpmPolicyCase>[]
  readonly tpmPolicyPcr: readonly Check<TpmPolicyPcrCase>[]
  readonly boot: readonly Check<BootCase>[]
  readonly bootPcr: readonly Check<PcrReplay>[]
  readonly imaList: readonly Check<ImaListCase>[]
  readonly imaEntry: readonly Check<ImaEntryCase>[]
}

export const defaultChecks: CheckLists = {
  quote: quoteChecks,
  tpmPolicy: tpmPolicyChecks,
  tpmPolicyPcr: tpmPolicyPcrChecks,
  boot: bootChecks,
  bootPcr: bootPcrChecks,
  imaList: imaListChecks,
  imaEntry: imaEntryChecks,
}

/**
 * Judges evidence: the quote first, and what rests on its PCR values only when it passed.
 * Hostile bytes end as findings, never as exceptions.
 *
 * @param memo what is known of list entries from earlier evaluations by the same checks; only time depends on it
 */
export function evaluate(
  evidence: EvidenceCase,
  lists: CheckLists = defaultChecks,
  memo?: LineMemo,
): Evaluation {
  const { findings, verified, clock } = evaluateQuote(evidence, lists.quote)
  if (!verified || !clock) return concluded(findings, evidence)
  const { bank } = evidence.requestedPcrs
  const boot = evaluateBoot(evidence, verified, lists)
  const ima = evaluateList(evidence, verified, boot, lists, memo)
  const pcrs = evidence.tpmPolicy
    ? evaluateTpmPolicy(evidence.tpmPolicy, verified, bank, lists.tpmPolicy, lists.tpmPolicyPcr)
    : []
  return {
    ...concluded([...pcrs, ...boot.findings, ...ima.findings], evidence),
    verifiedPcrs: presentPcrs(verified),
    clock,
    ...(ima.certified && { ima: ima.certified }),
  }
}

function concluded(
  findings: readonly Finding[],
  { severityPolicy }: Pick<EvidenceCase, 'severityPolicy'>,
): Evaluation {
  const reason = failureReason(findings)
  if (!reason) return { verdict: 'pass', findings }
  const severity = worstSeverity(findings, severityPolicy)
  return { verdict: 'fail', failureReason: reason, ...(severity && { severity }), findings }
}

function evaluateBoot(
  { uefi, measuredBoot, requestedPcrs }: EvidenceCase,
  verified: VerifiedPcrs,
  lists: CheckLists,
): BootEvaluation {
  const expected = measuredBoot ?? { required: false }
  return evaluateUefi(uefi, verified, requestedPcrs.bank, expected, lists.boot, lists.bootPcr)
}

function evaluateList(
  { ima, runtimePolicy, ignoreTomtouErrors = false }: EvidenceCase,
  verified: VerifiedPcrs,
  { bootAggregates }: BootEvaluation,
  lists: CheckLists,
  memo: LineMemo | undefined,
): { readonly findings: readonly Finding[]; readonly certified?: ImaCertified } {
  if (!ima) return { findings: runtimePolicy ? [noList()] : [] }
  const expected = {
    ignoreTomtouErrors,
    bootAggregates,
    ...(runtimePolicy && { policy: runtimePolicy }),
  }
  return evaluateIma(ima, verified, expected, lists.imaList, lists.imaEntry, memo)
}

function noList(): Finding {
  const message = 'the runtime policy needs a measurement list, and none came'
  return finding('pcr_validation.unused_pcr_*', message, {}, 10)
}
