import { applies } from '../client/operations.ts'
import type { Check } from '../runner/check.ts'
import {
  type CatalogueRow,
  type Condition,
  type FieldRow,
  type FieldType,
  type ReplyName,
  typesOf,
} from '../spec/requirement.ts'
import { selectPath } from './select-path.ts'

const TYPES: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
  absent: (value) => value === undefined,
}

const IF_THERE: Condition = 'the member is there'

/** The field rows of a reply under a version. */
export function rowsOfReply(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version?: string,
): readonly (CatalogueRow & { readonly field: FieldRow })[] {
  return rows.filter(
    (row): row is CatalogueRow & { field: FieldRow } =>
      row.field?.reply === reply && (version === undefined || applies(row, version)),
  )
}

export interface FieldCase {
  readonly rows: readonly CatalogueRow[]
  readonly reply: ReplyName
  readonly version: string
  readonly body: unknown
  /** What is known to hold of this reply. */
  readonly conditions: readonly Condition[]
}

/** One check for each field row of the reply whose condition holds: presence, type, value set. */
export function checkFields(check: Check, subject: FieldCase): void {
  for (const { id, field } of rowsOfReply(subject.rows, subject.reply, subject.version)) {
    const { when } = field
    if (when !== undefined && when !== IF_THERE && !subject.conditions.includes(when)) continue
    const found = selectPath(subject.body, field.path)
    const judged = when === IF_THERE ? found.filter((value) => value !== undefined) : found
    if (judged.length === 0) continue
    const wrong = judged.find((value) => !fits(field, value))
    check(id, field.path)
      .of(judged.some((value) => !fits(field, value)) ? wrong : judged[0])
      .matches(present(field), (value) => fits(field, value))
  }
}

export function fits(field: Pick<FieldRow, 'type' | 'values'>, value: unknown): boolean {
  if (!typesOf(field).some((type) => TYPES[type](value))) return false
  if (field.values === undefined || value === null || value === undefined) return true
  return field.values.some((allowed) => allowed === value)
}

function present(field: FieldRow): string {
  const types = typesOf(field).join(' or ')
  return field.values === undefined
    ? types
    : `${types}: ${field.values.map((value) => JSON.stringify(value)).join(', ')}`
}
