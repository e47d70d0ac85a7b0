import type { ApiVersion } from '../../api/versions.ts'
import type { Evaluation } from '../../evidence/evaluate.ts'
import type { PartForm } from '../../evidence/quote/quote-string.ts'
import type { BootPolicyName } from '../../evidence/uefi/policy/boot-policy.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import type { PolicyUpload } from '../policies/read-policy-upload.ts'
import type { QuoteAnswer } from '../pull/quote-answer.ts'
import type { CarriedEvidence } from '../push/carried.ts'
import type { QuoteParameters } from '../push/selection/evidence-item.ts'
import type { VerifyEvidenceRequest } from '../shapes/agent-shape.ts'

/** The columns of an agent record that the evaluation of its evidence needs. */
export type EvaluatedAgent = Pick<
  AgentRow,
  | 'ak_tpm'
  | 'tpm_policy'
  | 'accept_tpm_hash_algs'
  | 'accept_tpm_encryption_algs'
  | 'accept_tpm_signing_algs'
  | 'ima_sign_verification_keys'
>

/** Evidence of a push attestation, as it is stored. */
export interface StoredTask {
  readonly kind: 'stored'
  readonly agent: EvaluatedAgent
  /** UTF-8 of the JSON list of evidence items; the buffer is transferred with the task */
  readonly evidence: Uint8Array
  /** The reference state that the boot log is compared with. */
  readonly bootPolicy: string | null
  /** The carried evidence of the agent record: the clock must not run back. */
  readonly carried: CarriedEvidence | undefined
  /** The carried evidence when the attestation began: the list starts where that ended. */
  readonly begunWith: CarriedEvidence | undefined
  /** SHA-256 of the runtime policy of the agent, hex; undefined without one. */
  readonly policyDigest: string | undefined
  readonly ignoreTomtouErrors: boolean
  readonly bootPolicyName: BootPolicyName
}

/** Evidence that a third party sent to verify/evidence. */
export interface SentTask {
  readonly kind: 'sent'
  readonly evidence: VerifyEvidenceRequest
  readonly ignoreTomtouErrors: boolean
  readonly bootPolicyName: BootPolicyName
}

/** The body of verify/evidence as it came, where it is large. */
export interface UnreadTask extends Pick<SentTask, 'ignoreTomtouErrors' | 'bootPolicyName'> {
  readonly kind: 'unread'
  /** JSON; the buffer is transferred with the task */
  readonly body: Uint8Array
  readonly version: ApiVersion
}

/** A quote that a client sent to verify/identity. */
export interface IdentityTask {
  readonly kind: 'identity'
  readonly agent: EvaluatedAgent
  readonly hash_alg: string
  readonly nonce: string
  readonly quote: string
}

/** The host of an agent with a virtual TPM, whose quote comes with the agent's (docs/deep-quotes.md). */
export interface QuotedHost {
  /** TPM2B_PUBLIC of its attestation key */
  readonly key: Uint8Array
  readonly pcrs: readonly number[]
  readonly tpm_policy: string
}

/** An agent's answer to a quote request. */
export interface PolledTask {
  readonly kind: 'polled'
  /** Its `tpm_policy` is that of the TPM that the agent quotes: for a virtual one, `vtpm_policy`. */
  readonly agent: EvaluatedAgent
  /** Set where a deep quote was asked for; any other quote fails then. */
  readonly host?: QuotedHost | undefined
  /** The nonce of the request: 20 characters */
  readonly nonce: string
  readonly pcrs: readonly number[]
  /** Line that the IMA list was asked for from. */
  readonly imaEntry: number
  readonly answer: QuoteAnswer
  /** PEM of the node key that the quote must cover; undefined if there is none. */
  readonly nodeKey: string | undefined
  /** How the parts of the quote are packed: API 1.0 had them zlib-compressed. */
  readonly packed: PartForm
  readonly bootPolicy: string | null
  /** The carried evidence of the agent record: where the list continues, and the TPM's last clock. */
  readonly carried: CarriedEvidence | undefined
  readonly ignoreTomtouErrors: boolean
  readonly bootPolicyName: BootPolicyName
}

/** An uploaded runtime policy. */
export interface UploadTask {
  readonly kind: 'upload'
  readonly upload: PolicyUpload
}

/** A task of the evaluator: plain data, so that it can cross to another thread. */
export type Task = StoredTask | PolledTask | SentTask | UnreadTask | IdentityTask

/** A runtime policy by its digest; the text is loaded only if it is not cached. */
export interface PolicyReference {
  /** SHA-256 of the text, hex */
  readonly digest: string
  /** The text, and its own digest: the policy may have been replaced meanwhile. */
  load(): Promise<{ readonly digest: string; readonly text: string }>
}

/** The result of a task. */
export interface TaskResult {
  readonly evaluation: Evaluation
  /** The chosen parameters of the stored evidence; undefined if they could not be read. */
  readonly chosen?: Pick<QuoteParameters, 'hash_algorithm' | 'signature_scheme'> | undefined
  /** SHA-256 of the runtime policy that judged, hex */
  readonly policy?: string | undefined
  /** Entry that the list starts at; 0 without a list */
  readonly startingOffset?: number
}
