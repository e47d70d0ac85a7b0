import { createHash } from 'node:crypto'
import { toHex } from '../../../bytes/hex.ts'
import { concat } from '../../../bytes/writer.ts'
import { Reading } from './reading.ts'

/** An entry of a measurement list by a reading of its own; fields in the order of the template. */
export interface ModelEntry {
  readonly pcr: number
  readonly hash: Uint8Array
  readonly template: string
  readonly fields: readonly Uint8Array[]
}

const FORMATS: Readonly<Record<string, string>> = {
  ima: 'd|n',
  'ima-ng': 'd-ng|n-ng',
  'ima-sig': 'd-ng|n-ng|sig',
  'ima-ngv2': 'd-ngv2|n-ng',
  'ima-sigv2': 'd-ngv2|n-ng|sig',
  'ima-buf': 'd-ng|n-ng|buf',
  'ima-modsig': 'd-ng|n-ng|sig|d-modsig|modsig',
  'evm-sig': 'd-ng|n-ng|evmsig|xattrnames|xattrlengths|xattrvalues|iuid|igid|imode',
}

const DIGESTS = ['d-ng', 'd-ngv2', 'd-modsig']
const NAMES = ['n', 'n-ng']
const NUMBERS: Readonly<Record<string, number>> = { iuid: 4, igid: 4, imode: 2 }
const HEX_FIELDS = ['d', 'sig', 'buf', 'modsig', 'evmsig', 'xattrlengths', 'xattrvalues']
const KNOWN = [...DIGESTS, ...NAMES, ...HEX_FIELDS, 'xattrnames', ...Object.keys(NUMBERS)]

/** Names of the fields of a template, or undefined when there is no such template. */
export function fieldsOf(template: string): readonly string[] | undefined {
  const format = Object.getOwnPropertyDescriptor(FORMATS, template)?.value as string | undefined
  if (format === undefined && !template.includes('|')) return undefined
  const fields = (format ?? template).split('|')
  const names = fields.filter((field) => NAMES.includes(field)).length
  const digests = fields.filter((field) => ['d', 'd-ng', 'd-ngv2'].includes(field)).length
  const isKnown = fields.every((field) => KNOWN.includes(field)) && fields.length <= 15
  return isKnown && names === 1 && digests === 1 ? fields : undefined
}

function little(value: number): Uint8Array {
  return Uint8Array.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24)
}

/** What is hashed and extended for an entry. */
export function dataOf({ template, fields }: Pick<ModelEntry, 'template' | 'fields'>): Uint8Array {
  if (template !== 'ima') return concat(...fields.flatMap((field) => [little(field.length), field]))
  const [digest = new Uint8Array(), name = new Uint8Array()] = fields
  return concat(digest, name, new Uint8Array(Math.max(0, 256 - name.length)))
}

export function hashBytes(algorithm: string, bytes: Uint8Array): Uint8Array {
  return createHash(algorithm).update(bytes).digest()
}

export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/** Writes a binary list. */
export function writeBinary(entries: readonly ModelEntry[]): Uint8Array {
  const parts = entries.flatMap(({ pcr, hash, template, fields }) => {
    const name = Buffer.from(template, 'latin1')
    const head = [little(pcr), hash, little(name.length), name]
    if (template !== 'ima') {
      const data = dataOf({ template, fields })
      return [...head, little(data.length), data]
    }
    const [digest = new Uint8Array(), path = new Uint8Array()] = fields
    return [...head, digest, little(path.length), path]
  })
  return concat(...parts)
}

/** Reads a binary list; undefined when it is none. */
export function readBinary(bytes: Uint8Array, hashSize: number): readonly ModelEntry[] | undefined {
  const reading = new Reading(bytes, 'little')
  const entries: ModelEntry[] = []
  while (reading.left > 0 && !reading.short) {
    const pcr = reading.number(4)
    const hash = reading.bytes(hashSize)
    const template = Buffer.from(reading.sized(4)).toString('latin1')
    const fields =
      template === 'ima'
        ? [reading.bytes(20), reading.sized(4)]
        : split(reading.sized(4), template, isZero(hash))
    if (!fields) return undefined
    entries.push({ pcr, hash, template, fields })
  }
  return reading.exact ? entries : undefined
}

/**
 * Fields behind their lengths, as many as the template has. What a violation says is bound by nothing, so it may say
 * anything.
 */
function split(
  data: Uint8Array,
  template: string,
  isViolation: boolean,
): readonly Uint8Array[] | undefined {
  const reading = new Reading(data, 'little')
  const fields = fieldsOf(template)?.map(() => reading.sized(4))
  return fields && reading.exact ? fields : isViolation ? [data] : undefined
}

/** Writes an ASCII list. */
export function writeAscii(entries: readonly ModelEntry[]): Uint8Array {
  const lines = entries.map(({ pcr, hash, template, fields }) => {
    const kinds = fieldsOf(template) ?? []
    const texts = fields.map((field, index) => textOf(kinds[index] ?? 'n', field))
    return [String(pcr).padStart(2), toHex(hash), template, ...texts].join(' ')
  })
  return new Uint8Array(Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1'))
}

function textOf(kind: string, field: Uint8Array): string {
  const text = Buffer.from(field).toString('latin1')
  if (NAMES.includes(kind) || kind === 'xattrnames') return text.replace(/\0$/, '')
  if (DIGESTS.includes(kind)) {
    const nul = text.indexOf('\0')
    return text.slice(0, Math.max(nul, 0)) + toHex(field.subarray(nul + 1))
  }
  const size = NUMBERS[kind]
  if (size === undefined || field.length === 0) return toHex(field)
  return String(new Reading(field, 'little').number(field.length))
}

const MOST_LINES = 8

/**
 * Reads an ASCII list; undefined when a line is not explained. An entry takes as many lines as it needs for its hash
 * to be right; one whose hash is zero says that it has none, and takes one.
 */
export function readAscii(bytes: Uint8Array, algorithm: string): readonly ModelEntry[] | undefined {
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  const entries: ModelEntry[] = []
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === '') continue
    const taken = takeEntry(lines, at, algorithm)
    if (!taken) return undefined
    entries.push(taken.entry)
    at += taken.lines - 1
  }
  return entries
}

function takeEntry(
  lines: readonly string[],
  at: number,
  algorithm: string,
): { readonly entry: ModelEntry; readonly lines: number } | undefined {
  for (let count = 1; count <= MOST_LINES && at + count <= lines.length; count++) {
    const entry = readLine(lines.slice(at, at + count).join('\n'))
    if (!entry) continue
    const isRight = toHex(hashBytes(algorithm, dataOf(entry))) === toHex(entry.hash)
    if (isRight || (count === 1 && isZero(entry.hash))) return { entry, lines: count }
  }
  return undefined
}

function readLine(line: string): ModelEntry | undefined {
  const [, pcr = '', hash = '', template = '', rest = ''] =
    /^( \d|[1-9]\d) ((?:[0-9a-f]{2})+) ([^ ]+) (.*)$/s.exec(line) ?? []
  const kinds = fieldsOf(template)
  const texts = kinds && splitTexts(rest, kinds)
  if (!kinds || !texts) return undefined
  const fields = texts.map((text, index) => bytesOf(kinds[index] ?? '', text, template))
  if (!fields.every((field) => field !== undefined)) return undefined
  const tooLong = template === 'ima' && (fields[1]?.length ?? 0) > 256
  const entry = { pcr: Number(pcr), hash: Buffer.from(hash, 'hex'), template, fields }
  return tooLong ? undefined : entry
}

/** The name takes the blanks that no other field accounts for. */
function splitTexts(rest: string, kinds: readonly string[]): readonly string[] | undefined {
  const texts = rest.split(' ')
  const before = kinds.findIndex((kind) => NAMES.includes(kind))
  const after = kinds.length - before - 1
  if (texts.length < kinds.length) return undefined
  const name = texts.slice(before, texts.length - after).join(' ')
  return [...texts.slice(0, before), name, ...texts.slice(texts.length - after)]
}

function bytesOf(kind: string, text: string, template: string): Uint8Array | undefined {
  if (NAMES.includes(kind)) return Buffer.from(template === 'ima' ? text : `${text}\0`, 'latin1')
  if (kind === 'xattrnames') return Buffer.from(text === '' ? '' : `${text}\0`, 'latin1')
  const size = NUMBERS[kind]
  if (size !== undefined) return decimal(text, size)
  if (!DIGESTS.includes(kind)) return hex(text)
  if (kind === 'd-modsig' && text === '') return new Uint8Array()
  const colon = text.lastIndexOf(':') + 1
  const digits = hex(text.slice(colon))
  return digits && concat(Buffer.from(`${text.slice(0, colon)}\0`, 'latin1'), digits)
}

function decimal(text: string, size: number): Uint8Array | undefined {
  if (text === '') return new Uint8Array()
  const fits = /^(?:0|[1-9]\d{0,9})$/.test(text) && Number(text) < 256 ** size
  return fits ? little(Number(text)).subarray(0, size) : undefined
}

function hex(text: string): Uint8Array | undefined {
  return /^(?:[0-9a-f]{2})*$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

/** What an entry says of a file or buffer; undefined when its fields are not what they have to be. */
export interface ModelContent {
  readonly name: string
  readonly digest: string
  readonly isBuffer: boolean
  readonly isSigned: boolean
}

const SIZES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

export function contentOf({ template, fields }: ModelEntry): ModelContent | undefined {
  const kinds = fieldsOf(template)
  if (!kinds || kinds.length !== fields.length) return undefined
  const field = (name: string) => fields[kinds.indexOf(name)] ?? new Uint8Array()
  const [digestKind = ''] = kinds.filter((kind) => kind.startsWith('d') && kind !== 'd-modsig')
  const digest = digestIn(digestKind, field(digestKind))
  const name = nameIn(template, field(kinds.find((kind) => NAMES.includes(kind)) ?? ''))
  const numbers = Object.entries(NUMBERS).every(
    ([kind, size]) => !kinds.includes(kind) || [0, size].includes(field(kind).length),
  )
  const modsig = field('d-modsig')
  const appended = modsig.length === 0 || digestIn('d-ng', modsig) !== undefined
  if (digest === undefined || name === undefined || !numbers || !appended) return undefined
  const signed = field('sig').length > 0 || field('modsig').length > 0
  return { name, digest, isBuffer: kinds.includes('buf'), isSigned: signed }
}

function digestIn(kind: string, bytes: Uint8Array): string | undefined {
  if (kind === 'd') return bytes.length === 20 ? toHex(bytes) : undefined
  const nul = bytes.indexOf(0)
  const label = Buffer.from(bytes.subarray(0, Math.max(nul, 0))).toString('latin1')
  const shape = kind === 'd-ngv2' ? /^(?:ima|verity):([a-z0-9_-]+):$/ : /^([a-z0-9_-]+):$/
  const algorithm = shape.exec(label)?.[1]
  const size = bytes.length - nul - 1
  if (nul < 0 || algorithm === undefined || size === 0) return undefined
  return (SIZES[algorithm] ?? size) === size ? toHex(bytes.subarray(nul + 1)) : undefined
}

function nameIn(template: string, bytes: Uint8Array): string | undefined {
  const nul = bytes.indexOf(0)
  const end = template === 'ima' && nul < 0 ? bytes.length : nul
  const isClean = template === 'ima' ? isZero(bytes.subarray(end)) : nul === bytes.length - 1
  return end >= 0 && isClean ? Buffer.from(bytes.subarray(0, end)).toString('utf8') : undefined
}
