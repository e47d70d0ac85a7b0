import type { Evaluation } from '../../evidence/evaluate.ts'
import type { AgentRow } from '../../storage/database.ts'
import type { VerifyEvidenceRequest } from '../agent-shape.ts'
import type { CarriedEvidence } from '../push/carried.ts'
import type { QuoteParameters } from '../push/evidence-item.ts'

/** What of an agent record its evidence is judged by. */
export type JudgedAgent = Pick<
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
  readonly agent: JudgedAgent
  /** UTF-8 of the JSON list of evidence items; whoever takes the task takes the bytes too */
  readonly evidence: Uint8Array
  /** The reference state that the boot log is judged by. */
  readonly bootPolicy: string | null
  /** What the agent record carries now: the clock must not run back. */
  readonly carried: CarriedEvidence | undefined
  /** What the attestation was begun with: the list starts where that ended. */
  readonly begunWith: CarriedEvidence | undefined
  readonly ignoreTomtouErrors: boolean
}

/** Evidence that a third party brought to verify/evidence. */
export interface SentTask {
  readonly kind: 'sent'
  readonly evidence: VerifyEvidenceRequest
  readonly ignoreTomtouErrors: boolean
}

/** A quote that somebody brought to verify/identity. */
export interface IdentityTask {
  readonly kind: 'identity'
  readonly agent: JudgedAgent
  readonly hash_alg: string
  readonly nonce: string
  readonly quote: string
}

/** A piece of work for whoever evaluates: plain data, so that it crosses to another thread. */
export type Task = StoredTask | SentTask | IdentityTask

/** A runtime policy by what is in it; the text is only asked for where it is not known yet. */
export interface PolicyReference {
  /** SHA-256 of the text, hex */
  readonly digest: string
  load(): Promise<string>
}

/** What came of a task. */
export interface Judgement {
  readonly evaluation: Evaluation
  /** What the stored evidence was asked for with; undefined where nothing of it could be read. */
  readonly chosen?: Pick<QuoteParameters, 'hash_algorithm' | 'signature_scheme'> | undefined
  /** Entry that the stored list starts at; 0 without a list */
  readonly startingOffset?: number
}
