import { isUtf8 } from 'node:buffer'
import { rowOf, table } from '../../../bytes/table.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import { hashByName } from '../../../tpm/algorithms.ts'
import type { TemplateData } from './template-data.ts'

/** Digest of a file or buffer, with the name of its algorithm as the list gives it. */
interface ImaDigest {
  readonly algorithm: string
  /** lower-case hexadecimal text, as policies write digests */
  readonly hex: string
}

/** The decoded fields of an entry. */
export interface ImaContent {
  readonly digest: ImaDigest
  /** the kind of digest, in the templates that have it; a `verity` digest is not that of the whole file */
  readonly digestType?: 'ima' | 'verity'
  /** path, keyring or critical-data label; characters that are no UTF-8 are replaced, see `exactName` */
  readonly name: string
  /** false when the name is not valid UTF-8, so that no text can be equal to it */
  readonly exactName: boolean
  /** security.ima of the file */
  readonly signature?: Uint8Array
  readonly buffer?: Uint8Array
  /** digest and PKCS#7 of an appended signature */
  readonly appendedDigest?: ImaDigest
  readonly appendedSignature?: Uint8Array
}

/** The same while it is being read. */
export type ImaDraft = { -readonly [Member in keyof ImaContent]?: ImaContent[Member] }

/** How one field of a template is written in the ASCII list and in the template data. */
export interface FieldKind {
  readonly id: string
  /** the role that a template must have exactly once */
  readonly part?: 'digest' | 'name'
  /** appends the bytes of the field, from its text in the list */
  write(out: TemplateData, list: Uint8Array, start: number, end: number): void
  /** adds the decoded bytes to the content */
  read(data: Buffer, start: number, end: number, content: ImaDraft): void
}

const COLON = 0x3a
const NUL = 0x00

/** Where a text has its NUL; exactly one, at its end. */
function textEnd(data: Buffer, start: number, end: number, field: string): number {
  const nul = data.indexOf(NUL, start)
  if (nul !== end - 1)
    throw new WireError(field, end - start, 'expected exactly one zero byte, at its end')
  return nul
}

const name: Omit<FieldKind, 'id'> = {
  part: 'name',
  write(out, list, start, end) {
    out.copy(list, start, end)
    out.byte(NUL)
  },
  read(data, start, end, content) {
    setName(content, data, start, textEnd(data, start, end, 'name'))
  },
}

function setName(content: ImaDraft, data: Buffer, start: number, end: number): void {
  const text = data.toString('utf8', start, end)
  content.name = text
  // A name in UTF-8 can contain the replacement character itself.
  content.exactName = !text.includes('\u{fffd}') || isUtf8(data.subarray(start, end))
}

/** Reads the name of the oldest template, which zeros pad to the size of its field. */
export function readPaddedName(data: Buffer, start: number, content: ImaDraft): void {
  const nul = data.indexOf(NUL, start)
  const end = nul < 0 ? data.length : nul
  for (let at = end; at < data.length; at++)
    if (data[at] !== NUL) throw new WireError('name', at - start, 'expected zeros after the name')
  setName(content, data, start, end)
}

/** A digest without algorithm: MD5 or SHA-1 in 20 bytes, of which SHA-1 is in use. */
const bareDigest: FieldKind = {
  id: 'd',
  part: 'digest',
  write: (out, list, start, end) => out.hex(list, start, end, 'digest'),
  read(data, start, end, content) {
    if (end - start !== 20)
      throw new WireError('digest', 0, `expected 20 bytes, got ${end - start}`)
    content.digest = { algorithm: 'sha1', hex: data.toString('hex', start, end) }
  },
}

/** Writes `sha256:` and a NUL as they are, and the digits behind them as bytes. */
function writeNamedDigest(out: TemplateData, list: Uint8Array, start: number, end: number): void {
  // By hand: a native search would go on in the lines before, and a list without colons would be read once a line.
  let colon = end - 1
  while (colon >= start && list[colon] !== COLON) colon -= 1
  out.copy(list, start, colon + 1)
  out.byte(NUL)
  out.hex(list, colon + 1, end, 'digest')
}

interface DigestName {
  readonly algorithm: string
  readonly size: number
  readonly type: 'ima' | 'verity' | undefined
}

/** Sizes of further hashes of the kernel (crypto/hash_info.c), in bytes: they can be compared, though not computed here. */
const kernelSizes = table<string, number>({
  ...{ md4: 16, md5: 16, 'sm3-256': 32, sm3: 32, streebog256: 32, streebog512: 64 },
  ...{ rmd128: 16, rmd160: 20, rmd256: 32, rmd320: 40, tgr128: 16, tgr160: 20, tgr192: 24 },
  ...{ sha224: 28, wp256: 32, wp384: 48, wp512: 64 },
  ...{ 'sha3-256': 32, 'sha3-384': 48, 'sha3-512': 64 },
})

const ALGORITHM = /^([a-z0-9_-]{1,32}):$/
const TYPE_AND_ALGORITHM = /^(ima|verity):([a-z0-9_-]{1,32}):$/

function parseDigestName(text: string, typed: boolean): DigestName {
  const found = (typed ? TYPE_AND_ALGORITHM : ALGORITHM).exec(text)
  const algorithm = found?.at(-1)
  if (!found || algorithm === undefined)
    throw new WireError('digest', 0, 'expected an algorithm, a colon and a zero byte')
  const type = typed ? (found[1] as 'ima' | 'verity') : undefined
  const size = hashByName(algorithm)?.size ?? rowOf(kernelSizes, algorithm)
  if (size === undefined) throw new WireError('digest', 0, `no kernel has the hash ${algorithm}`)
  return { algorithm, size, type }
}

/** Longest text before the NUL: `verity:` and an algorithm with its colon. */
const MAX_DIGEST_NAME = 40

/** A digest behind its algorithm, `sha256:`, or behind a type and its algorithm, `ima:sha256:`. */
function namedDigest(id: string, typed: boolean): FieldKind {
  const known = new Map<string, DigestName>()
  const nameOf = (text: string): DigestName => {
    const found = known.get(text) ?? parseDigestName(text, typed)
    known.set(text, found)
    return found
  }
  return {
    id,
    part: 'digest',
    write: writeNamedDigest,
    read(data, start, end, content) {
      const nul = data.indexOf(NUL, start)
      const until = nul < 0 || nul >= end ? start : Math.min(nul, start + MAX_DIGEST_NAME)
      const { algorithm, size, type } = nameOf(data.toString('latin1', start, until))
      checkDigestSize(algorithm, size, nul + 1 - start, end - nul - 1)
      content.digest = { algorithm, hex: data.toString('hex', nul + 1, end) }
      if (type) content.digestType = type
    },
  }
}

function checkDigestSize(algorithm: string, size: number, offset: number, length: number): void {
  if (size !== length)
    throw new WireError('digest', offset, `expected ${size} bytes for ${algorithm}, got ${length}`)
}

const digest = namedDigest('d-ng', false)

function hexField(
  id: string,
  say: (content: ImaDraft, bytes: Uint8Array) => void = () => undefined,
): FieldKind {
  return {
    id,
    write: (out, list, start, end) => out.hex(list, start, end, id),
    read(data, start, end, content) {
      // A copy: the buffer is used again for the next entry.
      if (end > start) say(content, new Uint8Array(data.subarray(start, end)))
    },
  }
}

/** A number that the list prints in decimal and the data holds little endian; the field may be empty. */
function numberField(id: string, size: 2 | 4): FieldKind {
  return {
    id,
    write(out, list, start, end) {
      if (end === start) return
      const text = Buffer.from(list.subarray(start, Math.min(end, start + 11))).toString('latin1')
      const value = /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN
      if (!(value < 256 ** size))
        throw new WireError(id, 0, `expected a number of ${size} bytes in decimal digits`)
      for (let byte = 0; byte < size; byte++) out.byte((value / 256 ** byte) & 0xff)
    },
    read(_, start, end) {
      if (end - start !== size && end !== start)
        throw new WireError(id, 0, `expected ${size} bytes, got ${end - start}`)
    },
  }
}

/** Names of extended attributes behind each other; like a name, but it may be empty. */
const attributeNames: FieldKind = {
  id: 'xattrnames',
  write(out, list, start, end) {
    if (end > start) name.write(out, list, start, end)
  },
  read(data, start, end) {
    if (end > start) textEnd(data, start, end, 'xattrnames')
  },
}

/** The digest an appended signature covers; empty when the file has none. */
const appendedDigest: FieldKind = {
  id: 'd-modsig',
  write(out, list, start, end) {
    if (end > start) writeNamedDigest(out, list, start, end)
  },
  read(data, start, end, content) {
    if (end === start) return
    const draft: ImaDraft = {}
    digest.read(data, start, end, draft)
    if (draft.digest) content.appendedDigest = draft.digest
  },
}

/** Fields of templates (Documentation/security/IMA-templates.rst of the kernel; ima_template.c). */
const fields = table<string, FieldKind>({
  d: bareDigest,
  'd-ng': digest,
  'd-ngv2': namedDigest('d-ngv2', true),
  n: { id: 'n', ...name },
  'n-ng': { id: 'n-ng', ...name },
  sig: hexField('sig', (content, bytes) => {
    content.signature = bytes
  }),
  buf: {
    ...hexField('buf'),
    read: (data, start, end, content) => {
      content.buffer = new Uint8Array(data.subarray(start, end))
    },
  },
  'd-modsig': appendedDigest,
  modsig: hexField('modsig', (content, bytes) => {
    content.appendedSignature = bytes
  }),
  evmsig: hexField('evmsig'),
  iuid: numberField('iuid', 4),
  igid: numberField('igid', 4),
  imode: numberField('imode', 2),
  xattrnames: attributeNames,
  xattrlengths: hexField('xattrlengths'),
  xattrvalues: hexField('xattrvalues'),
})

/** Row of a field by the name that a template format has for it. */
export function fieldByName(id: string): FieldKind | undefined {
  return rowOf(fields, id)
}
