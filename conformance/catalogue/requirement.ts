import type { Strength } from '../report/requirement-result.ts'

/** The versions in the interface document, oldest first. */
export const API_VERSIONS = ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0'] as const

/**
 * How a statement can be tested.
 * - `wire`: by requests and replies.
 * - `config`: by requests and replies with a particular setting of the deployment.
 * - `clock`: by waiting, or by moving the clock of the deployment.
 * - `white-box`: by inspecting the component, or its traffic to a peer that the suite does not simulate.
 * - `not-testable`: a definition or a permission, which no behaviour can violate.
 */
export const TEST_METHODS = ['wire', 'config', 'clock', 'white-box', 'not-testable'] as const
export type TestMethod = (typeof TEST_METHODS)[number]

/** The replies whose members the suite checks; `attestation.read` is a read after the verdict. */
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

/**
 * JSON types of a member. An integer is also a number, `empty` is an object without members, and `absent` is a missing
 * member. Field rows join several types with `-or-`.
 */
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

/** Conditions of field rows. For a list, each element must meet it. A row without one applies to every successful reply. */
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

/** The machine-readable requirement on one member of one reply. */
export interface FieldRow {
  readonly reply: ReplyName
  /**
   * Dotted members from the root of the body: `results.uuids[]` is each element of the array,
   * `evidence[evidence_type=tpm_quote].data` is a member of the element with that member.
   */
  readonly path: string
  /** Path of the same member in another reading, used if the first path is absent. */
  readonly or?: string
  /** One type, or several such as `null-or-string`. */
  readonly type: string
  /** The closed set of values in the document; it applies to scalars, not to null or absence. */
  readonly values?: readonly (string | number | boolean)[]
  readonly when?: Condition
}

/** Replies that the document does not show for a version: their members are those of another version, or absent. */
interface LikeVersion {
  readonly replies: readonly ReplyName[]
  readonly version: string
}

/** One testable statement of the interface document, paraphrased. */
export interface Requirement {
  readonly id: string
  readonly component: string
  /** First and last API version of the statement. */
  readonly since: string
  readonly until?: string
  /** Lines of the interface document with the statement. */
  readonly lines: readonly number[]
  readonly says: string
  readonly strength: Strength
  /** What fixes a `fixed` row beside the document: `safety`, or the specification with its clause. */
  readonly fixed_by?: string
  /** True if a violation is a vulnerability. */
  readonly security?: true
}

/** A requirement with its catalogue data. */
export interface CatalogueRow extends Requirement {
  readonly judged: TestMethod
  /** Key of the ambiguity where the document contradicts itself or is silent. */
  readonly ambiguity?: string
  /** Short names of the readings of an `either` row; those of a field row are its types, or its two paths. */
  readonly readings?: readonly string[]
  /** Why no check of a default run covers the row. */
  readonly excluded?: string
  /** The rows whose checks a violation of this row fails; it has no checks of its own. */
  readonly judged_by?: readonly string[]
  readonly field?: FieldRow
  readonly like?: LikeVersion
}

/** A question that the interface document leaves open. It requires nothing and is not counted as a requirement. */
export type Silence = Pick<
  CatalogueRow,
  'id' | 'component' | 'since' | 'until' | 'lines' | 'says' | 'ambiguity'
>

/** The names of the readings of a row; empty unless its strength is `either`. */
export function readingsOf({ strength, readings, field }: CatalogueRow): readonly string[] {
  if (strength !== 'either') return []
  if (readings !== undefined || field === undefined) return readings ?? []
  return field.or === undefined ? typesOf(field) : [field.path, field.or]
}

/** The types of a field row: `null-or-string` is null and string. */
export function typesOf({ type }: Pick<FieldRow, 'type'>): readonly FieldType[] {
  return type.split('-or-') as readonly FieldType[]
}
