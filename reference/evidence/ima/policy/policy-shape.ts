import { hashByName } from '../../../tpm/algorithms.ts'
import { PolicyError } from '../../policy-error.ts'
import { type DigestSet, type DigestTable, digestSet } from '../list/digest-set.ts'

/** Records values that were read differently from the document, once for each kind. */
export type Note = (text: string) => void

export type JsonObject = Readonly<Record<string, unknown>>

/** @throws {PolicyError} when the text is not JSON */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PolicyError(path, 'is not JSON', { cause })
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectAt(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw new PolicyError(path, 'expected an object')
  return value
}

/** Highest upper bound that an error message shows; above it only the lower bound is shown. */
const HIGHEST_SHOWN = 10

export function integerAt(value: unknown, path: string, last = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > last)
    throw new PolicyError(
      path,
      `expected an integer from 0${last < HIGHEST_SHOWN ? ` to ${last}` : ''}`,
    )
  return value
}

/** The version of a document, of which there are those up to `last`. */
export function versionAt(value: unknown, path: string, last: number): number {
  const version = integerAt(value, path)
  if (version > last)
    throw new PolicyError(path, `version ${version} is not known, the last one known is ${last}`)
  return version
}

export function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new PolicyError(path, 'expected text')
  return value
}

export function listAt(value: unknown, path: string, of: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new PolicyError(path, `expected a list of ${of}`)
  return value
}

export function textsAt(value: unknown, path: string): readonly string[] {
  return listAt(value, path, 'texts').map((each, index) => textAt(each, `${path}[${index}]`))
}

/** How the digests of one table may be written. */
interface DigestRules {
  /** fewest digests of a name */
  readonly least?: number
  /** whether a bare text may stand for a list of one */
  readonly bareText?: boolean
  readonly note?: Note
}

/** @throws {PolicyError} `digests["/bin/sh"][0]` for an invalid digest */
export function digestsAt(value: unknown, path: string, rules: DigestRules = {}): DigestTable {
  const tables = new Map<string, DigestSet>()
  for (const [name, list] of Object.entries(objectAt(value, path)))
    tables.set(name, digestSetAt(list, path, name, rules))
  return tables
}

function digestSetAt(
  value: unknown,
  table: string,
  name: string,
  { least = 0, bareText = false, note }: DigestRules,
): DigestSet {
  const path = `${table}[${JSON.stringify(name)}]`
  const bare = bareText && typeof value === 'string'
  if (bare) note?.(`${table}: a digest without a list around it is a list of one`)
  const texts = bare ? [value] : textsAt(value, path)
  if (texts.length < least) throw new PolicyError(path, 'expected at least one digest')
  const digests = texts.map((text, index) => digestAt(text, `${path}[${index}]`, table, note))
  return digestSet(digests)
}

const DIGEST = /^[0-9a-f]{40,128}$/
const NAMED_DIGEST = /^([a-z0-9_-]{1,32}):([0-9a-f]{32,128})$/

function digestAt(text: string, path: string, table: string, note: Note | undefined): string {
  if (DIGEST.test(text)) return text
  const [, algorithm = '', digest = ''] = NAMED_DIGEST.exec(text) ?? []
  if (hashByName(algorithm)?.size !== digest.length / 2 || digest === '')
    throw new PolicyError(path, 'expected 40 to 128 lower-case hexadecimal digits')
  note?.(`${table}: a digest behind the name of its algorithm is read without the name`)
  return digest
}
