/** Why an attestation failed, in the words of the document (`failure_reason`). */
export type FailureReason = 'broken_evidence_chain' | 'policy_violation'

/**
 * One thing that is wrong with evidence.
 * `type` is the dotted failure type of the answer, `context.message` one readable sentence.
 */
export interface Finding {
  readonly type: string
  readonly reason: FailureReason
  /** false if the parts that depend on the failed one could not be evaluated */
  readonly recoverable: boolean
  readonly context: { readonly message: string; readonly [detail: string]: unknown }
}

interface Failure {
  readonly reason: FailureReason
  readonly recoverable: boolean
}

/** The evidence may be forged, and so nothing that rests on it was looked at. */
const FORGED = { reason: 'broken_evidence_chain', recoverable: false } as const
/** Two parts of the evidence contradict each other; the other parts were evaluated too. */
const BROKEN = { reason: 'broken_evidence_chain', recoverable: true } as const
/** The agent may not submit this kind of evidence; it was not evaluated further. */
const REFUSED = { reason: 'policy_violation', recoverable: false } as const
/** The evidence hangs together and shows something that is not allowed. */
const VIOLATED = { reason: 'policy_violation', recoverable: true } as const

/**
 * Failure type -> reason, and whether the evaluation continued; the only place where either is decided.
 *
 * `*` stands for a PCR number, an IMA template name or a boot policy. The names are those in use on the wire already, except that
 * the first component is spelled `quote_validation` here and misspelt there; no code may depend on the misspelling.
 */
const FAILURES = {
  'quote_validation.invalid_quote': FORGED,
  'quote_validation.quote_validation': FORGED,
  'quote_validation.invalid_attestation_key': FORGED,
  'quote_validation.invalid_hash_alg': REFUSED,
  'quote_validation.invalid_enc_alg': REFUSED,
  'quote_validation.invalid_sign_alg': REFUSED,
  'quote_validation.invalid_data': FORGED,
  'quote_validation.no_pubkey': FORGED,
  'quote_validation.invalid_ima_entry_nb': FORGED,
  'possession.invalid_proof': FORGED,
  'pcr_validation.invalid_pcr_*': VIOLATED,
  'pcr_validation.missing_pcrs': VIOLATED,
  'pcr_validation.unused_pcr_*': VIOLATED,
  'measured_boot.invalid_pcr_*': BROKEN,
  'measured_boot.parser.log': BROKEN,
  'measured_boot.parser.invalid_pcrs_hashes': VIOLATED,
  'measured_boot.missing_pcrs': VIOLATED,
  'measured_boot.missing_log': VIOLATED,
  'measured_boot.policy_*': VIOLATED,
  'ima.pcr_mismatch': BROKEN,
  'ima.invalid_key': VIOLATED,
  'ima.parser.entry': BROKEN,
  'ima.validation.ima_hash': BROKEN,
  'ima.validation.ima_pcr': VIOLATED,
  'ima.validation.no_validator': VIOLATED,
  'ima.validation.tomtou': VIOLATED,
  'ima.validation.*.not_in_allowlist': VIOLATED,
  'ima.validation.*.runtime_policy_hash': VIOLATED,
  'ima.validator.ima-sig.invalid_signature': VIOLATED,
  'tee_attestation.invalid.tee': REFUSED,
  'tee_attestation.invalid_input': FORGED,
  'tee_attestation.vcek_fetch': FORGED,
  'tee_attestation.invalid_public_key': FORGED,
  'tee_attestation.untrusted_vcek': FORGED,
  'tee_attestation.invalid_signature': FORGED,
  'tee_attestation.freshness_hash_failed': FORGED,
  'tee_attestation.invalid_chip_id': FORGED,
  'tee_attestation.invalid_tcb': FORGED,
  'tee_attestation.policy_debug': VIOLATED,
  'internal.verifier.exception': FORGED,
  'internal.verifier.timeout': FORGED,
  'internal.verifier.not_reachable': FORGED,
  'internal.verifier.not_reachable_v': FORGED,
  'internal.verifier.no_quote': FORGED,
  'internal.verifier.no_v': FORGED,
  'internal.verifier.version_not_supported': FORGED,
} as const satisfies Record<string, Failure>

/** A row of the table; `*` is still open. */
export type FailureKind = keyof typeof FAILURES

/** Makes a finding of one kind; `fill` takes the place of `*`, `details` are added to the context. */
export function finding(
  kind: FailureKind,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  fill: string | number = '',
): Finding {
  return {
    type: kind.replace('*', () => String(fill)),
    ...FAILURES[kind],
    context: { ...details, message },
  }
}

/** The reason of the whole evaluation: a broken chain outweighs any policy violation; undefined when nothing is wrong. */
export function failureReason(findings: readonly Finding[]): FailureReason | undefined {
  if (findings.length === 0) return undefined
  const broken = findings.some((each) => each.reason === 'broken_evidence_chain')
  return broken ? 'broken_evidence_chain' : 'policy_violation'
}

/** Every row of the table, for those who have to show each of them. */
export const failureKinds: readonly FailureKind[] = Object.keys(FAILURES) as FailureKind[]
