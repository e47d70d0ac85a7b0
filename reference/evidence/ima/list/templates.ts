import { rowOf, table } from '../../../bytes/table.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import {
  type FieldKind,
  fieldByName,
  type ImaContent,
  type ImaDraft,
  readPaddedName,
} from './fields.ts'
import type { TemplateData } from './template-data.ts'

/** A row of the template table: fields in order; exactly one of them is a name, and one a digest. */
export interface Template {
  readonly name: string
  readonly fields: readonly FieldKind[]
  /** the oldest template has no lengths: 20 digest bytes, then the name padded to 256 bytes */
  readonly fixed: boolean
}

/** Most fields that the kernel allows in a format (TEMPLATE_NUM_FIELDS_MAX). */
const MAX_FIELDS = 15

/** Formats by the names they have in the list (Documentation/security/IMA-templates.rst of the kernel). */
const FORMATS = table<string, string>({
  ima: 'd|n',
  'ima-ng': 'd-ng|n-ng',
  'ima-sig': 'd-ng|n-ng|sig',
  'ima-ngv2': 'd-ngv2|n-ng',
  'ima-sigv2': 'd-ngv2|n-ng|sig',
  'ima-buf': 'd-ng|n-ng|buf',
  'ima-modsig': 'd-ng|n-ng|sig|d-modsig|modsig',
  'evm-sig': 'd-ng|n-ng|evmsig|xattrnames|xattrlengths|xattrvalues|iuid|igid|imode',
})

const templates = new Map<string, Template>(
  Object.entries(FORMATS).flatMap(([name, format]) => {
    const template = parseFormat(name, format)
    return template ? [[name, template] as const] : []
  }),
)

/**
 * A template by the name in the list: one of the kernel's, or a format of its own such as `d-ng|n-ng|sig`
 * (boot parameter `ima_template_fmt`), which the list shows as it is.
 */
export function templateByName(name: string): Template | undefined {
  if (rowOf(FORMATS, name)) return templates.get(name)
  return name.includes('|') ? parseFormat(name, name) : undefined
}

function parseFormat(name: string, format: string): Template | undefined {
  const fields = format.split('|', MAX_FIELDS + 1).map(fieldByName)
  const known = fields.filter((field) => field !== undefined)
  const count = (part: FieldKind['part']) => known.filter((field) => field.part === part).length
  const unambiguous = count('digest') === 1 && count('name') === 1
  if (known.length < fields.length || fields.length > MAX_FIELDS || !unambiguous) return undefined
  return { name, fields: known, fixed: name === 'ima' }
}

const BLANK = 0x20

/**
 * Builds the template data of an entry from its text in the ASCII list.
 * Fields are split at single blanks, from the left up to the name and from the right down to it,
 * so that an empty last field keeps its place and a blank inside the name stays in the name.
 *
 * @throws {WireError} if a field is missing or invalid for its kind
 */
export function writeTemplateData(
  out: TemplateData,
  template: Template,
  list: Uint8Array,
  start: number,
  end: number,
): void {
  const bounds = splitFields(template, list, start, end)
  out.clear()
  let bound = 0
  for (const field of template.fields) {
    const from = bounds[bound++] ?? start
    const to = bounds[bound++] ?? end
    if (template.fixed) writeFixed(out, field, list, from, to)
    else writeCounted(out, field, list, from, to)
  }
}

function writeCounted(
  out: TemplateData,
  field: FieldKind,
  list: Uint8Array,
  start: number,
  end: number,
): void {
  const mark = out.beginField()
  field.write(out, list, start, end)
  out.endField(mark)
}

/** Start and end of each field, in one flat list. */
function splitFields(
  template: Template,
  list: Uint8Array,
  start: number,
  end: number,
): readonly number[] {
  const { fields } = template
  const bounds = new Array<number>(fields.length * 2)
  let first = 0
  let from = start
  for (; fields[first]?.part !== 'name'; first++) {
    const blank = list.indexOf(BLANK, from)
    if (blank < 0 || blank >= end) throw missing(template, first + 1)
    bounds[2 * first] = from
    bounds[2 * first + 1] = blank
    from = blank + 1
  }
  let to = end
  for (let last = fields.length - 1; last > first; last--) {
    const blank = to > from ? list.lastIndexOf(BLANK, to - 1) : -1
    if (blank < from) throw missing(template, first + fields.length - last)
    bounds[2 * last] = blank + 1
    bounds[2 * last + 1] = to
    to = blank
  }
  bounds[2 * first] = from
  bounds[2 * first + 1] = to
  return bounds
}

function missing({ name, fields }: Template, got: number): WireError {
  return new WireError(name, 0, `expected ${fields.length} fields, got ${got}`)
}

/** Most bytes a name has in the oldest template (IMA-templates.rst, field `n`); at least one zero follows it. */
export const MAX_FIXED_NAME = 255

const FIXED_NAME_SIZE = MAX_FIXED_NAME + 1

function writeFixed(
  out: TemplateData,
  field: FieldKind,
  list: Uint8Array,
  start: number,
  end: number,
): void {
  if (field.part !== 'digest') writePaddedName(out, list, start, end)
  else if (end - start === 2 * FIXED_DIGEST_SIZE) field.write(out, list, start, end)
  // The data does not show where such a digest ends and the name begins.
  else
    throw new WireError(
      'ima',
      0,
      `expected a digest of ${2 * FIXED_DIGEST_SIZE} digits, got ${end - start}`,
    )
}

/**
 * Writes the name of the oldest template.
 *
 * @throws {WireError} when it is longer than its field
 */
export function writePaddedName(
  out: TemplateData,
  list: Uint8Array,
  start: number,
  end: number,
): void {
  const length = end - start
  if (length > MAX_FIXED_NAME)
    throw new WireError('ima', 20, `a name of ${length} bytes, at most ${MAX_FIXED_NAME} allowed`)
  out.copy(list, start, end)
  out.pad(FIXED_NAME_SIZE - length)
}

/**
 * Decodes the fields.
 *
 * @throws {WireError} if the data does not match this template, or a field is invalid for its kind
 */
export function readContent(template: Template, data: Buffer): ImaContent {
  const content: ImaDraft = {}
  if (template.fixed) readFixed(template, data, content)
  else readCounted(template, data, content)
  const { digest, name, exactName } = content
  if (digest === undefined || name === undefined || exactName === undefined)
    throw new WireError(template.name, 0, 'has no digest or no name')
  return content as ImaContent
}

/** Bytes of the digest of the oldest template, which has no length. */
export const FIXED_DIGEST_SIZE = 20

function readFixed(template: Template, data: Buffer, content: ImaDraft): void {
  template.fields[0]?.read(data, 0, FIXED_DIGEST_SIZE, content)
  readPaddedName(data, FIXED_DIGEST_SIZE, content)
}

function readCounted(template: Template, data: Buffer, content: ImaDraft): void {
  let at = 0
  for (const field of template.fields) {
    const start = at + 4
    const end = start <= data.length ? start + data.readUInt32LE(at) : Number.POSITIVE_INFINITY
    if (end > data.length)
      throw new WireError(
        `${template.name}.${field.id}`,
        at,
        `needs more than the ${data.length - at} byte(s) left`,
      )
    field.read(data, start, end, content)
    at = end
  }
  if (at < data.length)
    throw new WireError(template.name, at, `${data.length - at} byte(s) left over`)
}
