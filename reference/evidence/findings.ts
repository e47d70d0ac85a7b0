/** Why an attestation failed, in the words of the document (`failure_reason`). */
export type FailureReason = 'broken_evidence_chain' | 'policy_violation'

/**
 * One thing that is wrong with evidence.
 * `type` is the dotted failure type of the answer, `context.message` one sentence for a person.
 */
export interface Finding {
  readonly type: string
  readonly reason: FailureReason
  readonly context: { readonly message: string; readonly [detail: string]: unknown }
}

/**
 * Failure type -> reason; the only place where either is decided.
 *
 * `*` stands for a PCR number or an IMA template name. The names are those in use on the wire already, except that
 * the first component is spelled `quote_validation` here and misspelt there; nobody may depend on the misspelling.
 * `broken_evidence_chain` means that the evidence does not hang together (it may be forged);
 * `policy_violation` means that it does, and shows something that is not allowed.
 */
const REASONS = {
  'quote_validation.invalid_quote': 'broken_evidence_chain',
  'quote_validation.quote_validation': 'broken_evidence_chain',
  'quote_validation.invalid_hash_alg': 'policy_violation',
  'quote_validation.invalid_sign_alg': 'policy_violation',
  'possession.invalid_proof': 'broken_evidence_chain',
  'pcr_validation.invalid_pcr_*': 'policy_violation',
  'pcr_validation.missing_pcrs': 'policy_violation',
  'pcr_validation.unused_pcr_*': 'policy_violation',
  'measured_boot.invalid_pcr_*': 'broken_evidence_chain',
  'measured_boot.parser.log': 'broken_evidence_chain',
  'measured_boot.parser.invalid_pcrs_hashes': 'broken_evidence_chain',
  'measured_boot.missing_pcrs': 'policy_violation',
  'measured_boot.missing_log': 'policy_violation',
  'ima.pcr_mismatch': 'broken_evidence_chain',
  'ima.parser.entry': 'broken_evidence_chain',
  'ima.validation.ima_hash': 'broken_evidence_chain',
  'ima.validation.ima_pcr': 'policy_violation',
  'ima.validation.no_validator': 'policy_violation',
  'ima.validation.tomtou': 'policy_violation',
  'ima.validation.*.not_in_allowlist': 'policy_violation',
  'ima.validation.*.runtime_policy_hash': 'policy_violation',
} as const satisfies Record<string, FailureReason>

/** A row of the table; `*` is still open. */
export type FailureKind = keyof typeof REASONS

/** Makes a finding of one kind; `fill` takes the place of `*`, `details` are added to the context. */
export function finding(
  kind: FailureKind,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  fill: string | number = '',
): Finding {
  return {
    type: kind.replace('*', String(fill)),
    reason: REASONS[kind],
    context: { ...details, message },
  }
}

/** The reason of the whole evaluation: a broken chain outweighs any policy violation; undefined when nothing is wrong. */
export function failureReason(findings: readonly Finding[]): FailureReason | undefined {
  if (findings.length === 0) return undefined
  const broken = findings.some((each) => each.reason === 'broken_evidence_chain')
  return broken ? 'broken_evidence_chain' : 'policy_violation'
}
