import { Reader } from '../bytes/reader.ts'
import { WireError } from '../bytes/wire-error.ts'
import { Writer } from '../bytes/writer.ts'

/** The fields of the enclosing structure that came before, for unions selected by one of them. */
type Outer = Readonly<Record<string, unknown>>

/**
 * One definition for both directions of a wire type; the value type is inferred with {@link Decoded}.
 * The methods are methods, not function members, so that a `Codec<T>` fits where a `Codec<unknown>` is wanted.
 */
export interface Codec<T> {
  readonly name: string
  read(reader: Reader, outer: Outer): T
  write(writer: Writer, value: T): void
}

/** Value that a codec reads and writes. */
export type Decoded<C> = C extends Codec<infer T> ? T : never

const NO_OUTER: Outer = Object.freeze({})

/**
 * Decodes the whole of `bytes`; a leftover byte is an error.
 *
 * @throws {WireError} with the path of the field, from the name of the structure on
 */
export function decode<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const { value, problem } = attempt(codec, bytes)
  if (problem) throw problem
  return value
}

/** Outcome of {@link attempt}: a value without a problem, a value with bytes left over, or only a problem. */
export type Attempt<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value: T | undefined; readonly problem: WireError }

/**
 * Decodes for callers that report instead of throwing.
 * With leftover bytes there is a value *and* a problem, so that the fields can be checked too.
 */
export function attempt<T>(codec: Codec<T>, bytes: Uint8Array): Attempt<T> {
  const reader = new Reader(bytes, codec.name)
  let value: T | undefined
  try {
    const read = codec.read(reader, NO_OUTER)
    value = read
    reader.finish()
    return { value: read }
  } catch (problem) {
    if (problem instanceof WireError) return { value, problem }
    throw problem
  }
}

/** Bytes of a value. */
export function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  const writer = new Writer()
  codec.write(writer, value)
  return writer.finish()
}

export const u8: Codec<number> = {
  name: 'UINT8',
  read: (reader) => reader.u8(),
  write: (writer, value) => writer.u8(value),
}

export const u16: Codec<number> = {
  name: 'UINT16',
  read: (reader) => reader.u16(),
  write: (writer, value) => writer.u16(value),
}

export const u32: Codec<number> = {
  name: 'UINT32',
  read: (reader) => reader.u32(),
  write: (writer, value) => writer.u32(value),
}

export const u64: Codec<bigint> = {
  name: 'UINT64',
  read: (reader) => reader.u64(),
  write: (writer, value) => writer.u64(value),
}

/** TPMI_YES_NO (Part 2, 9.2): 0 or 1. */
export const yesNo: Codec<boolean> = {
  name: 'TPMI_YES_NO',
  read(reader) {
    const at = reader.offset
    const value = reader.u8()
    if (value > 1) throw reader.error(`expected 0 or 1, got ${value}`, at)
    return value === 1
  },
  write: (writer, value) => writer.u8(value ? 1 : 0),
}

/** A number that can only have one value. */
export function constant(codec: Codec<number>, expected: number): Codec<number> {
  return {
    name: codec.name,
    read(reader, outer) {
      const at = reader.offset
      const got = codec.read(reader, outer)
      if (got !== expected) throw reader.error(`expected ${hex(expected)}, got ${hex(got)}`, at)
      return got
    },
    write: (writer) => codec.write(writer, expected),
  }
}

/** Fields one after the other, in the order of the object. */
export function struct<const Fields extends Readonly<Record<string, Codec<unknown>>>>(
  name: string,
  fields: Fields,
): Codec<{ readonly [Key in keyof Fields]: Decoded<Fields[Key]> }> {
  type Value = { readonly [Key in keyof Fields]: Decoded<Fields[Key]> }
  const entries = Object.entries(fields)
  return {
    name,
    read(reader) {
      const value: Record<string, unknown> = {}
      for (const [key, field] of entries)
        value[key] = reader.field(`.${key}`, () => field.read(reader, value))
      return value as Value
    },
    write(writer, value) {
      for (const [key, field] of entries) field.write(writer, value[key])
    },
  }
}

/** A count and that many elements; more than `max` is an error before the first one is read. */
export function list<T>(
  name: string,
  count: Codec<number>,
  element: Codec<T>,
  max: number,
): Codec<readonly T[]> {
  return {
    name,
    read(reader, outer) {
      const at = reader.offset
      const length = reader.field('.count', () => count.read(reader, outer))
      if (length > max) throw reader.error(`${length} elements, at most ${max} allowed`, at)
      return Array.from({ length }, (_, index) =>
        reader.field(`[${index}]`, () => element.read(reader, outer)),
      )
    },
    write(writer, value) {
      count.write(writer, value.length)
      for (const each of value) element.write(writer, each)
    },
  }
}

function readSize(reader: Reader, max: number): number {
  const at = reader.offset
  const size = reader.u16()
  if (size > max) throw reader.error(`${size} bytes, at most ${max} allowed`, at)
  return size
}

/** TPM2B: a 16-bit size and that many opaque bytes; the value is the received slice. */
export function tpm2b(name: string, max: number): Codec<Uint8Array> {
  return {
    name,
    read: (reader) => reader.take(readSize(reader, max)),
    write(writer, value) {
      writer.u16(value.length)
      writer.put(value)
    },
  }
}

/** Contents of a sized buffer, with the bytes they were read from. */
export interface Sized<T> {
  /** the received slice, without the size; the input of hashes and Names */
  readonly bytes: Uint8Array
  readonly contents: T
}

/** TPM2B around a structure; the contents must fill the size exactly. Writing encodes the contents again. */
export function sized<T>(name: string, inner: Codec<T>, max: number): Codec<Sized<T>> {
  return {
    name,
    read(reader, outer) {
      const size = readSize(reader, max)
      const start = reader.offset
      const contents = reader.within(size, () => inner.read(reader, outer))
      return { bytes: reader.between(start, start + size), contents }
    },
    write(writer, value) {
      const bytes = encode(inner, value.contents)
      writer.u16(bytes.length)
      writer.put(bytes)
    },
  }
}

/** The arms of a union: name -> its selector and its codec. */
type Arms = Readonly<Record<string, readonly [selector: number, codec: Codec<unknown>]>>

/** Value of a union: its arm, and the value of that arm. */
type UnionOf<A extends Arms> = {
  [Kind in keyof A]: { readonly kind: Kind; readonly value: Decoded<A[Kind][1]> }
}[keyof A]

interface Arm {
  readonly kind: string
  readonly selector: number
  readonly codec: Codec<unknown>
}

function indexArms(arms: Arms): ReadonlyMap<number, Arm> {
  return new Map(
    Object.entries(arms).map(([kind, [selector, codec]]) => [selector, { kind, selector, codec }]),
  )
}

function armOf(reader: Reader, index: ReadonlyMap<number, Arm>, selector: unknown, at: number) {
  const arm = typeof selector === 'number' ? index.get(selector) : undefined
  if (!arm) throw reader.error(`selector ${hex(Number(selector))} is not supported`, at)
  return arm
}

/** A union whose selector is an earlier field of the same structure (TPMU_ATTEST). */
export function unionBy<const A extends Arms>(
  name: string,
  selectorField: string,
  arms: A,
): Codec<UnionOf<A>> {
  const index = indexArms(arms)
  return {
    name,
    read(reader, outer) {
      const arm = armOf(reader, index, outer[selectorField], reader.offset)
      return { kind: arm.kind, value: arm.codec.read(reader, outer) } as UnionOf<A>
    },
    write: (writer, { kind, value }) => arms[kind]?.[1].write(writer, value),
  }
}

/** A selector followed by its union (TPMT_SIGNATURE). */
export function tagged<const A extends Arms>(
  name: string,
  selector: Codec<number>,
  arms: A,
): Codec<UnionOf<A>> {
  const index = indexArms(arms)
  return {
    name,
    read(reader, outer) {
      const at = reader.offset
      const arm = armOf(reader, index, selector.read(reader, outer), at)
      const value = reader.field(`.${arm.kind}`, () => arm.codec.read(reader, outer))
      return { kind: arm.kind, value } as UnionOf<A>
    },
    write(writer, { kind, value }) {
      const arm = arms[kind]
      if (!arm) throw new TypeError(`${name} has no arm ${String(kind)}`)
      selector.write(writer, arm[0])
      arm[1].write(writer, value)
    },
  }
}

/** Nothing at all, for the empty arm of a union (TPMS_EMPTY). */
export const nothing: Codec<undefined> = {
  name: 'TPMS_EMPTY',
  read: () => undefined,
  write: () => undefined,
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(4, '0')}`
}
