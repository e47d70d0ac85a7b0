import type { Check, Expectation } from '../attempt/check.ts'
import { isObject } from '../attempt/reply.ts'
import {
  type CatalogueRow,
  type Condition,
  type FieldRow,
  type FieldType,
  type ReplyName,
  readingsOf,
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

const IF_THERE: Condition = 'the member is there'

interface FieldCase {
  readonly rows: readonly CatalogueRow[]
  readonly reply: ReplyName
  readonly version: string
  readonly body: unknown
  /** The HTTP status of the reply, which `code` of the envelope repeats (interface document, "Reply envelope"). */
  readonly status?: number | undefined
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
    const path = pathIn(subject.body, field)
    const values = valuesOf(subject.body, field, path, asCells)
    if (values.length === 0) continue
    const wanted = wantedOf(field, subject.status)
    const wrong = values.findIndex((value) => !fits(wanted, value))
    const received = check(requirement, field.path, asCells ? name : undefined).of(
      values[Math.max(wrong, 0)],
    )
    expectFit(
      received,
      rows.find(({ id }) => id === requirement),
      wanted,
      path,
    )
  }
}

function wantedOf(field: FieldRow, status: number | undefined): FieldRow {
  if (field.path === 'code' && status !== undefined) return { ...field, values: [status] }
  return field.when === IF_THERE ? { ...field, type: `${field.type}-or-absent` } : field
}

/** Expects a type and a value of the field; of an `either` row, those of one of its readings. */
function expectFit(
  received: Expectation<unknown>,
  row: CatalogueRow | undefined,
  field: FieldRow,
  path: string,
): void {
  const expected = field.or === undefined ? present(field) : undefined
  if (row?.strength === 'either') received.meets(byReading(readingsOf(row), field, path), expected)
  else received.matches(present(field), (value) => fits(field, value))
}

/** Predicates for the readings of a field row: its types, its two paths, or `absent` and a type of another version. */
function byReading(
  readings: readonly string[],
  field: FieldRow,
  path: string,
): Readonly<Record<string, (value: unknown) => boolean>> {
  const types = typesOf(field)
  return Object.fromEntries(
    readings.map((reading) => {
      if (field.or !== undefined)
        return [reading, (value: unknown) => reading === path && fits(field, value)]
      const own = types.filter((type) => type === reading)
      const meant = own.length > 0 ? own : types.filter((type) => type !== 'absent')
      return [reading, (value: unknown) => fits({ ...field, type: meant.join('-or-') }, value)]
    }),
  )
}

/** The path at which the reply has the member. */
function pathIn(body: unknown, { path, or = path }: FieldRow): string {
  return selectPath(body, path).some((value) => value !== undefined) ? path : or
}

/** The values to check; none if an optional member is absent. */
function valuesOf(
  body: unknown,
  { when }: FieldRow,
  path: string,
  asCells: boolean,
): readonly unknown[] {
  const values = selectPath(body, path)
  if (when !== IF_THERE || asCells) return values
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
