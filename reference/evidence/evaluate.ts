import type { Check } from './check.ts'
import { type FailureReason, type Finding, failureReason, finding } from './findings.ts'
import { BOOT_AGGREGATE, type ImaEntryCase } from './ima/entry-case.ts'
import { imaEntryChecks } from './ima/entry-checks.ts'
import {
  evaluateIma,
  type ImaCertified,
  type ImaEvidence as ImaList,
  type ImaListCase,
  imaListChecks,
} from './ima/evaluate-ima.ts'
import type { LineMemo } from './ima/list/line-memo.ts'
import type { RuntimePolicy } from './ima/policy/runtime-policy.ts'
import { type BoundKeyCase, boundKeyChecks, evaluateBoundKey } from './quote/bound-key.ts'
import { evaluateQuote, quoteChecks } from './quote/quote.ts'
import type { QuoteCase, QuoteClock, QuoteInput } from './quote/quote-case.ts'
import {
  evaluateTpmPolicy,
  type TpmPolicy,
  type TpmPolicyCase,
  type TpmPolicyPcrCase,
  tpmPolicyChecks,
  tpmPolicyPcrChecks,
} from './quote/tpm-policy.ts'
import { type PcrReport as Pcrs, presentPcrs, type VerifiedPcrs } from './quote/verified-pcrs.ts'
import { type Severity, type SeverityRule, worstSeverity } from './severity.ts'
import {
  type BootChecks,
  type BootEvaluation,
  type BootExpectations,
  defaultBootChecks,
  evaluateUefi,
} from './uefi/evaluate-uefi.ts'
import type { WorkaroundName } from './uefi/log/workarounds.ts'

/** PCR values as plain data: bank -> PCR number -> lower-case hex. */
export type PcrReport = Pcrs

/** Clock of an attestation; `safe` is not here, as only quotes with it set pass. */
export type ClockState = QuoteClock

/** An IMA list and where it starts. */
export type ImaEvidence = ImaList

/** The input of an evaluation: the quote, and the evidence and policies that come with it. */
export interface EvidenceCase extends QuoteInput {
  readonly ima?: ImaEvidence
  /** TCG event log, binary */
  readonly uefi?: Uint8Array
  /** policy for the IMA list, which is then required; without a policy the list is only replayed */
  readonly runtimePolicy?: RuntimePolicy
  readonly tpmPolicy?: TpmPolicy
  /** `required`: the log must be there, replay to the PCRs of its policy, and show nothing that the policy forbids */
  readonly measuredBoot?: BootExpectations
  /** the node key of a pull agent, as its PEM text: PCR 16 must hold its digest */
  readonly boundKey?: string
  /** accept IMA violation entries */
  readonly ignoreTomtouErrors?: boolean
  /** severity of each failure; without it every failure has the highest */
  readonly severityPolicy?: readonly SeverityRule[]
}

/** The result of an evaluation; plain data except for the clock's bigint. */
export interface Evaluation {
  readonly verdict: 'pass' | 'fail'
  /** set only when the verdict is `fail` */
  readonly failureReason?: FailureReason
  /** set only when the verdict is `fail` */
  readonly severity?: Severity
  readonly findings: readonly Finding[]
  /** set if the quote passed, also when a policy failed */
  readonly verifiedPcrs?: PcrReport
  /** set when the quote passed */
  readonly clock?: ClockState
  /** set when the list replayed to the quoted PCR 10 */
  readonly ima?: ImaCertified
  /** set when a boot log was read only by allowing for what its machine does otherwise */
  readonly workarounds?: readonly WorkaroundName[]
}

/** The checks of an evaluation, list by list; a list with one taken out is a mutant. */
export interface CheckLists extends BootChecks {
  readonly quote: readonly Check<QuoteCase>[]
  readonly boundKey: readonly Check<BoundKeyCase>[]
  readonly tpmPolicy: readonly Check<TpmPolicyCase>[]
  readonly tpmPolicyPcr: readonly Check<TpmPolicyPcrCase>[]
  readonly imaList: readonly Check<ImaListCase>[]
  readonly imaEntry: readonly Check<ImaEntryCase>[]
}

export const defaultChecks: CheckLists = {
  quote: quoteChecks,
  boundKey: boundKeyChecks,
  tpmPolicy: tpmPolicyChecks,
  tpmPolicyPcr: tpmPolicyPcrChecks,
  ...defaultBootChecks,
  imaList: imaListChecks,
  imaEntry: imaEntryChecks,
}

/**
 * Evaluates evidence: the quote first, and what depends on its PCR values only if it passed.
 * Hostile bytes end as findings, never as exceptions.
 *
 * @param memo cache of list entries from earlier evaluations with the same checks; it only saves time
 */
export function evaluate(
  evidence: EvidenceCase,
  lists: CheckLists = defaultChecks,
  memo?: LineMemo,
): Evaluation {
  const { findings, verified, clock } = evaluateQuote(evidence, lists.quote)
  if (!verified || !clock) return concluded(findings, evidence)
  const { bank } = evidence.requestedPcrs
  const key = evaluateBoundKey(evidence.boundKey, verified, bank, lists.boundKey)
  const boot = evaluateBoot(evidence, verified, lists)
  const ima = evaluateList(evidence, verified, boot, lists, memo)
  const pcrs = evidence.tpmPolicy
    ? evaluateTpmPolicy(evidence.tpmPolicy, verified, bank, lists.tpmPolicy, lists.tpmPolicyPcr)
    : []
  return {
    ...concluded([...key, ...pcrs, ...boot.findings, ...ima.findings], evidence),
    verifiedPcrs: presentPcrs(verified),
    clock,
    ...(ima.certified && { ima: ima.certified }),
    ...(boot.workarounds.length > 0 && { workarounds: boot.workarounds }),
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
  return evaluateUefi(uefi, verified, requestedPcrs.bank, expected, lists)
}

/**
 * What `boot_aggregate` may be besides what the policy lists. A boot log that no boot policy judged adds nothing to a list:
 * any machine can send the log of its own boot.
 */
function aggregatesBeside(
  { runtimePolicy, measuredBoot }: EvidenceCase,
  { bootAggregates }: BootEvaluation,
): ReadonlySet<string> {
  const isListed = runtimePolicy?.digests.has(BOOT_AGGREGATE) ?? false
  return isListed && !measuredBoot?.required ? new Set() : bootAggregates
}

function evaluateList(
  evidence: EvidenceCase,
  verified: VerifiedPcrs,
  boot: BootEvaluation,
  lists: CheckLists,
  memo: LineMemo | undefined,
): { readonly findings: readonly Finding[]; readonly certified?: ImaCertified } {
  const { ima, runtimePolicy, ignoreTomtouErrors = false } = evidence
  if (!ima) return { findings: runtimePolicy ? [noList()] : [] }
  const expected = {
    ignoreTomtouErrors,
    bootAggregates: aggregatesBeside(evidence, boot),
    ...(runtimePolicy && { policy: runtimePolicy }),
  }
  return evaluateIma(ima, verified, expected, lists.imaList, lists.imaEntry, memo)
}

function noList(): Finding {
  const message = 'the runtime policy needs a measurement list, and none came'
  return finding('pcr_validation.unused_pcr_*', message, {}, 10)
}
