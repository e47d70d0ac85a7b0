import type { Check } from '../attempt/check.ts'
import {
  type CatalogueRow,
  type Condition,
  type FieldRow,
  type FieldType,
  type ReplyName,
  typesOf,
} from '../catalogue/requirement.ts'
import { fieldCells, MEMBER_RANGE } from './field-cells.ts'
import { selectPath } from './select-path.ts'

const TYPES: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  empty: (value) => isObject(value) && Object.keys(value).length === 0,
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
  absent: (value) => value === undefined,
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const IF_THERE: Condition = 'the member is there'

interface FieldCase {
  readonly rows: readonly CatalogueRow[]
  readonly reply: ReplyName
  readonly version: string
  readonly body: unknown
  /** Conditions that hold for this reply. */
  readonly conditions: readonly Condition[]
  /** Whether each check fills a cell of the field matrix. */
  readonly asCells?: boolean
}

/**
 * Runs one check for each field row whose condition holds: presence, type, value set. With `asCells`, optional
 * members are checked even if absent, and so are members of other versions.
 */
export function checkFields(check: Check, subject: FieldCase): void {
  const { rows, reply, version, conditions, asCells = false } = subject
  for (const { name, requirement, field } of fieldCells(rows, reply, version)) {
    const { when } = field
    if (when !== undefined && when !== IF_THERE && !conditions.includes(when)) continue
    if (!asCells && requirement === MEMBER_RANGE) continue
    const values = valuesOf(subject.body, field, asCells)
    if (values.length === 0) continue
    const wanted = when === IF_THERE ? { ...field, type: `${field.type}-or-absent` } : field
    const wrong = values.find((value) => !fits(wanted, value))
    check(requirement, field.path, asCells ? name : undefined)
      .of(values.some((value) => !fits(wanted, value)) ? wrong : values[0])
      .matches(present(wanted), (value) => fits(wanted, value))
  }
}

/** The values to check; none if an optional member is absent. */
function valuesOf(body: unknown, field: FieldRow, asCells: boolean): readonly unknown[] {
  const found = selectPath(body, field.path)
  const isThere = found.some((value) => value !== undefined)
  const values = isThere || field.or === undefined ? found : selectPath(body, field.or)
  if (field.when !== IF_THERE || asCells) return values
  return values.filter((value) => value !== undefined)
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
