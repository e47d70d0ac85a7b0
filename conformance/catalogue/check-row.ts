import { STRENGTHS } from '../report/requirement-result.ts'
import {
  API_VERSIONS,
  type CatalogueRow,
  CONDITIONS,
  FIELD_TYPES,
  type FieldRow,
  REPLIES,
  readingsOf,
  TEST_METHODS,
} from './requirement.ts'
import { compareVersions } from './routes/operations.ts'

/** Data that rows refer to. */
export interface Surroundings {
  readonly lastLine: number
  /** Keys of the ambiguity tables; undefined if they are not available, and then any key is valid. */
  readonly ambiguities?: ReadonlySet<string>
}

type Rule = (value: unknown, surroundings: Surroundings) => string | undefined

const ID = /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$/
const STEP = String.raw`[A-Za-z_]\w*(\[(\w+=\w+)?\])*`
const PATH = new RegExp(String.raw`^${STEP}(\.${STEP})*$`)

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const oneOf = (what: string, known: readonly string[], value: unknown): string | undefined =>
  known.includes(value as string) ? undefined : `${what} ${JSON.stringify(value)} is not known`

const MEMBERS: Readonly<Record<string, Rule>> = {
  id: (id) => (isText(id) && ID.test(id) ? undefined : 'its id is not in capitals and hyphens'),
  component: (component) => (isText(component) ? undefined : 'its file names no component'),
  since: (since) => oneOf('the version', API_VERSIONS, since),
  until: (until) => oneOf('the version', API_VERSIONS, until),
  lines: (lines, { lastLine }) => checkLines(lines, lastLine),
  says: (says) => (isText(says) ? undefined : 'its member says is empty'),
  strength: (strength) => oneOf('the strength', STRENGTHS, strength),
  fixed_by: (source) => (isText(source) ? undefined : 'its member fixed_by is empty'),
  judged: (judged) => oneOf('the test method', TEST_METHODS, judged),
  readings: (readings) =>
    Array.isArray(readings) && readings.length > 1 && readings.every(isText)
      ? undefined
      : 'its readings are not a list of two names or more',
  ambiguity: (key, { ambiguities }) =>
    isText(key) && (ambiguities?.has(key) ?? true)
      ? undefined
      : `the ambiguity tables lack the key ${JSON.stringify(key)}`,
  security: (security) => (security === true ? undefined : 'security must be true or absent'),
  excluded: (reason) => (isText(reason) ? undefined : 'it is excluded without a reason'),
  judged_by: (ids) =>
    Array.isArray(ids) && ids.length > 0 && ids.every(isText)
      ? undefined
      : 'its member judged_by is not a list of ids',
  field: (field) => checkField(field),
  like: (like) => checkLike(like),
}

const REQUIRED = ['id', 'component', 'since', 'lines', 'says', 'strength', 'judged'] as const

/** The first defect of a catalogue row, as the end of a sentence; undefined for a valid row. */
export function checkRow(
  row: Readonly<Record<string, unknown>>,
  surroundings: Surroundings,
): string | undefined {
  const missing = REQUIRED.find((member) => row[member] === undefined)
  if (missing !== undefined) return `it lacks the member ${missing}`
  for (const [member, value] of Object.entries(row)) {
    const rule = MEMBERS[member]
    const fault = rule === undefined ? `it has no member ${member}` : rule(value, surroundings)
    if (fault !== undefined) return fault
  }
  return checkTogether(row)
}

const SILENCE_MEMBERS = ['id', 'since', 'until', 'lines', 'says', 'ambiguity']

/** The first defect of a silence, as the end of a sentence; `shared` are the common members of its file. */
export function checkSilence(
  own: Readonly<Record<string, unknown>>,
  shared: Readonly<Record<string, unknown>>,
  surroundings: Surroundings,
): string | undefined {
  const unknown = Object.keys(own).find((member) => !SILENCE_MEMBERS.includes(member))
  if (unknown !== undefined) return `it has no member ${unknown}`
  return checkRow({ ...shared, ...own, strength: 'silent', judged: 'not-testable' }, surroundings)
}

function checkLines(lines: unknown, lastLine: number): string | undefined {
  if (!Array.isArray(lines) || lines.length === 0) return 'it cites no line'
  const wrong = lines.find((line) => !Number.isInteger(line) || line < 1 || line > lastLine)
  if (wrong !== undefined) return `it cites the line ${String(wrong)}, which does not exist`
  const rising = lines.every((line, at) => at === 0 || line > lines[at - 1])
  return rising ? undefined : 'its lines are not in ascending order'
}

function checkTogether(row: Readonly<Record<string, unknown>>): string | undefined {
  const { since, until, strength, ambiguity } = row
  if (until !== undefined && compareVersions(String(since), String(until)) > 0)
    return 'until is before since'
  if (strength === 'either' && ambiguity === undefined)
    return 'it has several readings and names no ambiguity'
  const readings = readingsOf(row as unknown as CatalogueRow)
  if (strength === 'either' && readings.length < 2) return 'it does not name its readings'
  if (strength !== 'either' && row['readings'] !== undefined)
    return 'it has readings, and its strength is not either'
  if (strength !== 'fixed' && row['fixed_by'] !== undefined)
    return 'it names what fixes it, and its strength is not fixed'
  if (row['judged_by'] !== undefined && row['excluded'] !== undefined)
    return 'it is judged by other rows and excluded'
  return undefined
}

const FIELD_MEMBERS: readonly string[] = ['reply', 'path', 'or', 'type', 'values', 'when']

function checkField(field: unknown): string | undefined {
  if (typeof field !== 'object' || field === null) return 'its field is not an object'
  const { reply, path, or = path, type, values, when } = field as Partial<FieldRow>
  const unknown = Object.keys(field).find((member) => !FIELD_MEMBERS.includes(member))
  if (unknown !== undefined) return `its field has no member ${unknown}`
  const odd = [path, or].find((one) => !isText(one) || !PATH.test(one))
  if (odd !== undefined || path === undefined) return `its path ${JSON.stringify(odd)} is not valid`
  if (!isText(type)) return 'its type is not a string'
  return (
    oneOf('the reply', REPLIES, reply) ??
    type
      .split('-or-')
      .map((one) => oneOf('the type', FIELD_TYPES, one))
      .find((fault) => fault !== undefined) ??
    checkValues(values) ??
    (when === undefined ? undefined : oneOf('the condition', CONDITIONS, when))
  )
}

function checkLike(like: unknown): string | undefined {
  const { replies, version } = (like ?? {}) as Readonly<Record<string, unknown>>
  if (!Array.isArray(replies) || replies.length === 0) return 'its member like has no replies'
  return (
    replies
      .map((reply) => oneOf('the reply', REPLIES, reply))
      .find((fault) => fault !== undefined) ?? oneOf('the version', API_VERSIONS, version)
  )
}

function checkValues(values: unknown): string | undefined {
  if (values === undefined) return undefined
  const scalars = ['string', 'number', 'boolean']
  const closed =
    Array.isArray(values) && values.length > 0 && values.every((v) => scalars.includes(typeof v))
  return closed ? undefined : 'its values are not a list of scalars'
}
