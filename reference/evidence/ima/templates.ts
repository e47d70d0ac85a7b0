import { fromHex, toHex } from '../../bytes/hex.ts'
import { rowOf, table } from '../../bytes/table.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { concat } from '../../bytes/writer.ts'
import { hashByName } from '../../tpm/algorithms.ts'

/** Digest of a file or buffer, with the name of its algorithm as the list gives it. */
export interface ImaDigest {
  readonly algorithm: string
  readonly value: Uint8Array
}

/** What the fields of an entry say. */
export interface ImaContent {
  readonly digest: ImaDigest
  /** path, keyring or critical-data label; characters that are no UTF-8 are replaced, see `exactName` */
  readonly name: string
  /** false when the name is not valid UTF-8, so that no text can be equal to it */
  readonly exactName: boolean
  readonly signature?: Uint8Array
  readonly buffer?: Uint8Array
}

/** How one field is written in the ASCII list and in the template data. */
interface FieldKind {
  /** bytes of the field, from its text in the list (one character per byte) */
  fromText(text: string): Uint8Array
  /** what the bytes say */
  interpret(bytes: Uint8Array): Partial<ImaContent>
}

/** A row of the template table: fields in order; exactly one of them is a name. */
export interface Template {
  readonly name: string
  readonly fields: readonly (readonly [name: string, kind: FieldKind])[]
  /** the oldest template has no lengths: 20 digest bytes, then the name padded to 256 bytes */
  readonly fixed: boolean
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

/** The kernel writes lower case; with one spelling for every byte, no two lists mean the same. */
function lowerHex(text: string, path: string): Uint8Array {
  const upper = text.search(/[A-F]/)
  if (upper >= 0) throw new WireError(path, upper, 'expected lower-case hexadecimal digits')
  return fromHex(text, path)
}

function nameOf(bytes: Uint8Array): Partial<ImaContent> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return { name: text, exactName: !text.includes('\u{fffd}') }
}

function withoutNul(bytes: Uint8Array): Uint8Array {
  if (bytes.indexOf(0) !== bytes.length - 1)
    throw new WireError('name', bytes.length, 'expected exactly one zero byte, at its end')
  return bytes.subarray(0, -1)
}

/** A digest without algorithm: MD5 or SHA-1 in 20 bytes, of which SHA-1 is in use. */
const bareDigest: FieldKind = {
  fromText: (text) => lowerHex(text, 'digest'),
  interpret(value) {
    if (value.length !== 20)
      throw new WireError('digest', 0, `expected 20 bytes, got ${value.length}`)
    return { digest: { algorithm: 'sha1', value } }
  },
}

/** A digest behind its algorithm, `sha256:`, or behind a type and its algorithm, `ima:sha256:`. */
function namedDigest(prefix: RegExp): FieldKind {
  return {
    fromText(text) {
      const colon = text.lastIndexOf(':')
      return concat(
        latin1(`${text.slice(0, colon + 1)}\0`),
        lowerHex(text.slice(colon + 1), 'digest'),
      )
    },
    interpret(bytes) {
      const end = bytes.indexOf(0)
      const text = Buffer.from(bytes.subarray(0, Math.max(end, 0))).toString('latin1')
      const algorithm = prefix.exec(text)?.[1]
      if (algorithm === undefined)
        throw new WireError('digest', 0, 'expected an algorithm, a colon and a zero byte')
      const value = bytes.subarray(end + 1)
      const size = hashByName(algorithm)?.size
      if (size !== undefined && size !== value.length)
        throw new WireError(
          'digest',
          end + 1,
          `expected ${size} bytes for ${algorithm}, got ${value.length}`,
        )
      if (value.length === 0) throw new WireError('digest', end + 1, 'is empty')
      return { digest: { algorithm, value } }
    },
  }
}

const ALGORITHM = /^([a-z0-9_-]{1,32}):$/
const TYPE_AND_ALGORITHM = /^(?:ima|verity):([a-z0-9_-]{1,32}):$/

const d: readonly [string, FieldKind] = ['d', bareDigest]
const dNg: readonly [string, FieldKind] = ['d-ng', namedDigest(ALGORITHM)]
const dNgV2: readonly [string, FieldKind] = ['d-ngv2', namedDigest(TYPE_AND_ALGORITHM)]
const n: readonly [string, FieldKind] = ['n', { fromText: latin1, interpret: nameOf }]
const nNg: readonly [string, FieldKind] = [
  'n-ng',
  {
    fromText: (text) => latin1(`${text}\0`),
    interpret: (bytes) => nameOf(withoutNul(bytes)),
  },
]
const sig: readonly [string, FieldKind] = [
  'sig',
  {
    fromText: (text) => lowerHex(text, 'sig'),
    interpret: (bytes) => (bytes.length > 0 ? { signature: bytes } : {}),
  },
]
const buf: readonly [string, FieldKind] = [
  'buf',
  { fromText: (text) => lowerHex(text, 'buf'), interpret: (buffer) => ({ buffer }) },
]

const NAME_FIELDS: readonly string[] = ['n', 'n-ng']

/** Templates this implementation can read (Documentation/security/IMA-templates of the kernel). */
const templates = table<string, Template>({
  ima: { name: 'ima', fields: [d, n], fixed: true },
  'ima-ng': { name: 'ima-ng', fields: [dNg, nNg], fixed: false },
  'ima-sig': { name: 'ima-sig', fields: [dNg, nNg, sig], fixed: false },
  'ima-buf': { name: 'ima-buf', fields: [dNg, nNg, buf], fixed: false },
  'ima-ngv2': { name: 'ima-ngv2', fields: [dNgV2, nNg], fixed: false },
  'ima-sigv2': { name: 'ima-sigv2', fields: [dNgV2, nNg, sig], fixed: false },
})

/** Row of a template by the name in the list. */
export function templateByName(name: string): Template | undefined {
  return rowOf(templates, name)
}

/**
 * Bytes of each field, from the rest of an ASCII line.
 * Fields are split at single blanks, from the left up to the name and from the right down to it,
 * so that an empty last field keeps its place and a blank inside the name stays in the name.
 *
 * @throws {WireError} when a field is missing or is not what its kind says
 */
export function fieldsFromText(template: Template, text: string): readonly Uint8Array[] {
  const nameAt = template.fields.findIndex(([field]) => NAME_FIELDS.includes(field))
  const after = template.fields.length - 1 - nameAt
  const parts = text.split(' ')
  if (parts.length < template.fields.length)
    throw new WireError(
      template.name,
      0,
      `expected ${template.fields.length} fields, got ${parts.length}`,
    )
  const texts = [
    ...parts.slice(0, nameAt),
    parts.slice(nameAt, parts.length - after).join(' '),
    ...parts.slice(parts.length - after),
  ]
  return template.fields.map(([, kind], index) => kind.fromText(texts[index] ?? ''))
}

/** Most bytes a name has in the oldest template. */
export const FIXED_NAME_SIZE = 256

/** The bytes that are hashed into the template hash and extended into the PCR. */
export function templateData(template: Template, fields: readonly Uint8Array[]): Uint8Array {
  if (!template.fixed) return lengthPrefixed(fields)
  const [digest = new Uint8Array(), name = new Uint8Array()] = fields
  if (name.length > FIXED_NAME_SIZE)
    throw new WireError(
      template.name,
      20,
      `a name of ${name.length} bytes, at most ${FIXED_NAME_SIZE} allowed`,
    )
  return concat(digest, name, new Uint8Array(FIXED_NAME_SIZE - name.length))
}

/** Each field behind its length, little endian; by hand, as this runs once for every line. */
function lengthPrefixed(fields: readonly Uint8Array[]): Uint8Array {
  const data = new Uint8Array(fields.reduce((sum, field) => sum + 4 + field.length, 0))
  const view = new DataView(data.buffer)
  let at = 0
  for (const field of fields) {
    view.setUint32(at, field.length, true)
    data.set(field, at + 4)
    at += 4 + field.length
  }
  return data
}

/**
 * What the fields say.
 *
 * @throws {WireError} when a field is not what its kind says
 */
export function interpret(template: Template, fields: readonly Uint8Array[]): ImaContent {
  const parts = template.fields.map(([, kind], index) =>
    kind.interpret(fields[index] ?? new Uint8Array()),
  )
  const content: Partial<ImaContent> = Object.assign({}, ...parts)
  const { digest, name, exactName } = content
  if (digest === undefined || name === undefined || exactName === undefined)
    throw new WireError(template.name, 0, 'has no digest or no name')
  return { ...content, digest, name, exactName }
}

/** `sha256:0ddd…`, as the list writes it. */
export function presentDigest({ algorithm, value }: ImaDigest): string {
  return `${algorithm}:${toHex(value)}`
}
