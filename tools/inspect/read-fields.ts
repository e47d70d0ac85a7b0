import { type OnRead, ShortRead } from '../../simulator/tpm/cursor.ts'
import { toHex } from '../../simulator/tpm/write.ts'
import type { Broken, Field } from './inspection.ts'

/** Presentation of a field: its value, and an explanation that is the same for every value. */
export interface Meaning {
  readonly means: string
  readonly show: (raw: Uint8Array) => string
}

/** Path without indexes -> meaning. */
export type Meanings = Readonly<Record<string, Meaning>>

/** A structure as far as it could be decoded. */
export interface Structure<T> {
  /** Undefined if the structure is broken. */
  readonly value: T | undefined
  readonly fields: readonly Field[]
  readonly broken: readonly Broken[]
}

function meaningOf(path: string, meanings: Meanings): Meaning | undefined {
  const plain = path.replaceAll(/\[\d+\]/g, '')
  return Object.hasOwn(meanings, plain) ? meanings[plain] : undefined
}

/** Describes how many bytes were missing. */
export function whyShort({ wanted, there }: ShortRead): string {
  return `${wanted} ${wanted === 1 ? 'byte is' : 'bytes are'} wanted here, and ${there === 0 ? 'none is' : `only ${there}`} left`
}

/** Runs a parser of the simulator and records every field and the position of an error. */
export function readFields<T>(
  part: string,
  bytes: Uint8Array,
  meanings: Meanings,
  read: (bytes: Uint8Array, onRead: OnRead) => T,
): Structure<T> {
  const fields: Field[] = []
  const onRead: OnRead = ({ path, offset, length }) => {
    const raw = bytes.subarray(offset, offset + length)
    const meaning = meaningOf(path, meanings)
    const value = meaning?.show(raw) ?? ''
    fields.push({ path, offset, length, raw: toHex(raw), value, means: meaning?.means ?? '' })
  }
  try {
    return { value: read(bytes, onRead), fields, broken: [] }
  } catch (error) {
    if (!(error instanceof ShortRead)) throw error
    const broken = { part, offset: error.offset, path: error.path, why: whyShort(error) }
    return { value: undefined, fields, broken: [broken] }
  }
}
