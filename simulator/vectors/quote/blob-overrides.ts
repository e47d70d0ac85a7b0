import { cat, filled, u8, u16le, u32le } from '../../tpm/write.ts'
import { type BankValues, type SelectionOverrides, selectionsOf } from './attest-overrides.ts'

/** One digest of a list, with an override for its stated length. */
export interface DigestOverrides {
  readonly bytes: Uint8Array
  readonly size?: number
}

/** One TPML_DIGEST of the image; `count` states how many of its slots are used. */
interface DigestListOverrides {
  readonly digests: readonly DigestOverrides[]
  readonly count?: number
}

/**
 * The PCR part of a quote, the image of C structures that `tpm2_quote -F serialized` writes: 136 + 532·n bytes.
 * Every count can be overridden.
 */
export interface BlobOverrides {
  readonly selections: readonly SelectionOverrides[]
  readonly selectionCount?: number
  readonly lists: readonly DigestListOverrides[]
  readonly listCount?: number
  readonly trailing?: Uint8Array
  /** Writes 16- and 32-bit numbers most significant byte first. */
  readonly bigEndian?: boolean
}

const SELECTION_SLOTS = 16
const DIGESTS_PER_LIST = 8
const DIGEST_BUFFER = 64

interface Numbers {
  readonly u16: (value: number) => Uint8Array
  readonly u32: (value: number) => Uint8Array
}

const LITTLE: Numbers = { u16: u16le, u32: u32le }
const BIG: Numbers = {
  u16: (value) => u16le(value).reverse(),
  u32: (value) => u32le(value).reverse(),
}

/** Returns the bytes, truncated or zero-padded to a size. */
function fitted(bytes: Uint8Array, size: number): Uint8Array {
  return cat(bytes, filled(size)).subarray(0, size)
}

function selectionSlot(one: SelectionOverrides | undefined, { u16 }: Numbers): Uint8Array {
  if (one === undefined) return filled(8)
  return cat(u16(one.hash), u8(one.sizeofSelect ?? one.bitmap.length), fitted(one.bitmap, 5))
}

function digestSlot(one: DigestOverrides | undefined, { u16 }: Numbers): Uint8Array {
  if (one === undefined) return filled(2 + DIGEST_BUFFER)
  return cat(u16(one.size ?? one.bytes.length), fitted(one.bytes, DIGEST_BUFFER))
}

function digestList({ digests, count }: DigestListOverrides, numbers: Numbers): Uint8Array {
  const slots = Array.from({ length: DIGESTS_PER_LIST }, (_, at) =>
    digestSlot(digests[at], numbers),
  )
  return cat(numbers.u32(count ?? digests.length), ...slots)
}

/** Returns the bytes of the image from any overrides. */
export function blobBytes(overrides: BlobOverrides): Uint8Array {
  const numbers = overrides.bigEndian === true ? BIG : LITTLE
  const slots = Array.from({ length: SELECTION_SLOTS }, (_, at) =>
    selectionSlot(overrides.selections[at], numbers),
  )
  return cat(
    numbers.u32(overrides.selectionCount ?? overrides.selections.length),
    ...slots,
    numbers.u32(overrides.listCount ?? overrides.lists.length),
    ...overrides.lists.map((list) => digestList(list, numbers)),
    overrides.trailing ?? filled(0),
  )
}

/** Splits digests into lists of eight, as tpm2-tools does. */
export function listsOf(digests: readonly DigestOverrides[]): readonly DigestListOverrides[] {
  return Array.from({ length: Math.ceil(digests.length / DIGESTS_PER_LIST) }, (_, at) => ({
    digests: digests.slice(at * DIGESTS_PER_LIST, (at + 1) * DIGESTS_PER_LIST),
  }))
}

/** Returns the correct image of these banks. */
export function soundBlob(banks: readonly BankValues[]): BlobOverrides {
  const digests = banks.flatMap(({ values }) => [...values.values()].map((bytes) => ({ bytes })))
  return { selections: selectionsOf(banks), lists: listsOf(digests) }
}
