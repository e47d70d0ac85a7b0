import { WireError } from '../../../bytes/wire-error.ts'
import type { HashAlgorithm } from '../../../tpm/algorithms.ts'
import { digestHex } from '../../../tpm/digest.ts'
import { contentOf } from './content-of.ts'
import { collectItems, type ImaEntry, type ImaItem, type ListVisitor } from './entry.ts'
import { TemplateData } from './template-data.ts'
import {
  FIXED_DIGEST_SIZE,
  MAX_FIXED_NAME,
  type Template,
  templateByName,
  writePaddedName,
} from './templates.ts'

const MAX_TEMPLATE_NAME = 255

/** Every item of a binary list, see {@link readBinaryList}. */
export function parseBinaryList(list: Uint8Array, hash: HashAlgorithm): readonly ImaItem[] {
  return collectItems((visitor) => readBinaryList(list, hash, visitor))
}

/**
 * Reads a binary measurement list (little endian).
 *
 * Entries carry their lengths, so an entry of an unknown template can still be replayed; its content is then invalid.
 * When the framing itself breaks, the rest of the list is one unreadable item.
 *
 * @param hash algorithm of the template hash, SHA-1 in every list but the per-algorithm ones of newer kernels
 */
export function readBinaryList(list: Uint8Array, hash: HashAlgorithm, visitor: ListVisitor): void {
  const bytes = Buffer.from(list.buffer, list.byteOffset, list.byteLength)
  const frames = new FrameReader(bytes, hash)
  for (let number = 0; frames.remaining > 0; number++) {
    const start = frames.offset
    const problem = frames.next(number)
    if (problem !== undefined) {
      const rest = bytes.subarray(start)
      visitor.visit({
        ...{ kind: 'unreadable', number, lines: 1, why: problem, bytes: rest },
        mayContinue: false,
      })
      return
    }
    if (!visitor.recall?.(bytes, start, frames.offset)) visitor.visit(frames.entry(number))
  }
}

/** Finds the parts of one entry after the other; they are slices until the entry is asked for. */
class FrameReader {
  readonly #bytes: Buffer
  readonly #hash: HashAlgorithm
  readonly #padded = new TemplateData()
  #template: Template | undefined
  #templateName = ''
  #start = 0
  #at = 0
  #dataStart = 0

  constructor(bytes: Buffer, hash: HashAlgorithm) {
    this.#bytes = bytes
    this.#hash = hash
  }

  get offset(): number {
    return this.#at
  }

  get remaining(): number {
    return this.#bytes.length - this.#at
  }

  /** Goes to the next entry; returns why that cannot be done. */
  next(number: number): string | undefined {
    this.#start = this.#at
    try {
      this.#frame()
      return undefined
    } catch (error) {
      if (error instanceof WireError)
        return new WireError(`IMA[${number}]${error.path}`, error.offset, error.problem).message
      throw error
    }
  }

  /** The entry that {@link next} went to. */
  entry(number: number): ImaEntry {
    const hashAt = this.#start + 4
    const data = this.#data()
    return {
      kind: 'entry',
      number,
      lines: 1,
      pcr: this.#bytes.readUInt32LE(this.#start),
      templateHash: this.#bytes.toString('hex', hashAt, hashAt + this.#hash.size),
      template: this.#templateName,
      data,
      dataHash: digestHex(this.#hash, data),
      content: this.#template
        ? contentOf(this.#template, data)
        : { invalid: 'the template is not known' },
    }
  }

  #frame(): void {
    this.#take('.pcr', 4)
    this.#take('.templateHash', this.#hash.size)
    this.#readTemplateName()
    this.#dataStart = this.#at
    if (this.#template?.fixed) this.#frameFixed()
    else {
      const length = this.#u32('.data')
      this.#dataStart = this.#at
      this.#take('.data', length)
    }
  }

  #readTemplateName(): void {
    const at = this.#at
    const length = this.#u32('.templateName')
    if (length < 1 || length > MAX_TEMPLATE_NAME)
      throw new WireError(
        '.templateName',
        at,
        `a template name of ${length} bytes, 1 to ${MAX_TEMPLATE_NAME} allowed`,
      )
    this.#take('.templateName', length)
    const name = this.#bytes.toString('latin1', this.#at - length, this.#at)
    if (name === this.#templateName) return
    if (!/^[\x21-\x7e]+$/.test(name))
      throw new WireError('.templateName', at, 'a template name must be printable')
    this.#templateName = name
    this.#template = templateByName(name)
  }

  /** The oldest template has one length, that of the name behind its 20 digest bytes. */
  #frameFixed(): void {
    this.#take('.data', FIXED_DIGEST_SIZE)
    const at = this.#at
    const length = this.#u32('.data')
    if (length > MAX_FIXED_NAME)
      throw new WireError(
        '.data',
        at,
        `a name of ${length} bytes, at most ${MAX_FIXED_NAME} allowed`,
      )
    this.#take('.data', length)
  }

  #data(): Buffer {
    if (!this.#template?.fixed) return this.#bytes.subarray(this.#dataStart, this.#at)
    const nameAt = this.#dataStart + FIXED_DIGEST_SIZE + 4
    this.#padded.clear()
    this.#padded.copy(this.#bytes, this.#dataStart, this.#dataStart + FIXED_DIGEST_SIZE)
    writePaddedName(this.#padded, this.#bytes, nameAt, this.#at)
    return this.#padded.bytes()
  }

  #u32(path: string): number {
    this.#take(path, 4)
    return this.#bytes.readUInt32LE(this.#at - 4)
  }

  #take(path: string, length: number): void {
    if (length > this.remaining)
      throw new WireError(path, this.#at, `needs ${length} byte(s), ${this.remaining} left`)
    this.#at += length
  }
}
