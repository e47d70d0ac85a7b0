import type { Strength } from '../report/result.ts'

/** The versions that the interface document speaks of, oldest first. */
export const API_VERSIONS = ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0'] as const

/**
 * How a statement can be judged.
 * - `wire`: by requests and replies alone.
 * - `config`: by a setting of the deployment, beside the wire.
 * - `clock`: by waiting, or by moving the clock of the deployment.
 * - `white-box`: by a look into the component, or at what it says to a peer that the suite does not play.
 * - `not-testable`: a definition or a permission; nothing that a component does could break it.
 */
export const JUDGED = ['wire', 'config', 'clock', 'white-box', 'not-testable'] as const
export type Judged = (typeof JUDGED)[number]

/** The replies whose members the suite can look at; `attestation.read` is a read after the verdict. */
export const REPLIES = [
  'registrar.register',
  'registrar.activate',
  'registrar.read',
  'registrar.list',
  'registrar.delete',
  'registrar.version',
  'registrar.probe',
  'verifier.add-agent',
  'verifier.read-agent',
  'verifier.delete-agent',
  'verifier.stop',
  'verifier.reactivate',
  'verifier.create-policy',
  'verifier.read-policy',
  'verifier.list-policies',
  'verifier.delete-policy',
  'verifier.create-boot-policy',
  'verifier.read-boot-policy',
  'verifier.update-boot-policy',
  'verifier.delete-boot-policy',
  'verifier.verify-evidence',
  'verifier.verify-identity',
  'session.create',
  'session.complete',
  'attestation.create',
  'attestation.submit',
  'attestation.read',
  'attestation.list',
  'agent.info',
  'agent.pubkey',
  'agent.vkey',
  'agent.ukey',
  'agent.verify',
  'agent.integrity',
  'agent.identity',
] as const
export type ReplyName = (typeof REPLIES)[number]

/** JSON types of a member; an integer is a number too, `empty` is an object without members, and `absent` is a member that is not there. A field row joins them by `-or-`. */
export const FIELD_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'empty',
  'array',
  'null',
  'absent',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** When a field row holds, of a list: when each of its elements is so. Without one it holds for every successful reply. */
export const CONDITIONS = [
  'the member is there',
  'evaluation is pass',
  'evaluation is fail',
  'the stage is awaiting_evidence',
  'the stage is verification_complete',
  'the evidence is valid',
  'the evidence is invalid',
  'an address was given',
  'a runtime policy was given',
  'no measured boot policy was given',
  'partial is 0',
  'PCR 10 is in the mask',
  'PCR 0 is in the mask',
] as const
export type Condition = (typeof CONDITIONS)[number]

/** One member of one reply, for a machine to compare. */
export interface FieldRow {
  readonly reply: ReplyName
  /**
   * Dotted members from the root of the body: `results.uuids[]` is each element of the array,
   * `evidence[evidence_type=tpm_quote].data` is a member of the element with that member.
   */
  readonly path: string
  /** Another path of the same member, by another reading: it counts where the first is not there. */
  readonly or?: string
  /** A type, or several: `null-or-string`. */
  readonly type: string
  /** The values that the document gives, when it closes the set; they bind the scalars, and leave null and absence be. */
  readonly values?: readonly (string | number | boolean)[]
  readonly when?: Condition
}

/** Replies that the document does not show for a version: their members are those of another one, or are not there. */
export interface LikeVersion {
  readonly replies: readonly ReplyName[]
  readonly version: string
}

/** One testable statement of the interface document, in our own words. */
export interface Requirement {
  readonly id: string
  readonly component: string
  /** First and last API version that it is a statement about. */
  readonly since: string
  readonly until?: string
  /** Lines of the interface document that say it. */
  readonly lines: readonly number[]
  readonly says: string
  readonly strength: Strength
  /** Set when a violation is a weakness, not only a difference. */
  readonly security?: true
}

/** A requirement as the catalogue keeps it. */
export interface CatalogueRow extends Requirement {
  readonly judged: Judged
  /** Key of the place where the document contradicts itself or is silent. */
  readonly ambiguity?: string
  /** Why no check speaks for it, said of this row. A check makes this stale. */
  readonly excluded?: string
  /** Why no check speaks for it, said of its file; it lapses silently once a check does. */
  readonly excludedByFile?: string
  readonly field?: FieldRow
  readonly like?: LikeVersion
}

/** The types that a field row allows: `null-or-string` is null and string. */
export function typesOf({ type }: Pick<FieldRow, 'type'>): readonly FieldType[] {
  return type.split('-or-') as readonly FieldType[]
}
