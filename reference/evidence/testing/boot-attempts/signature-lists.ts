import { textOf } from '../../uefi/log/text-of.ts'
import { at, CONFIG, type Edit, type Event, event, isVariable } from '../forged-boot.ts'
import { variableOf } from '../written-log.ts'

/** Bytes of UEFI_VARIABLE_DATA before the name: a GUID and two lengths. */
export const HEAD = 32

/** The value in the data of a variable, whose name is this long. */
export function contentOf({ raw }: Event, name: string): Uint8Array {
  return raw.slice(HEAD + 2 * name.length)
}

export function changedVariable(
  name: string,
  vendor: 'global' | 'security' | 'shim',
  change: (value: Buffer) => Uint8Array,
  as = name,
): Edit {
  return at(isVariable(name), (one) => {
    const value = change(Buffer.from(contentOf(one, name)))
    const data = textOf(variableOf(vendor, as, value))
    return [event(7, data, data, CONFIG)]
  })
}

/** EFI_SIGNATURE_LIST: type, sizes, and signatures of one size behind them. */
const LIST_HEAD = 28

export interface List {
  readonly head: Buffer
  readonly size: number
  readonly entries: readonly Buffer[]
}

function listsIn(value: Buffer): readonly List[] {
  const lists: List[] = []
  for (let from = 0; from + LIST_HEAD <= value.length; ) {
    const [whole, size] = [value.readUInt32LE(from + 16), value.readUInt32LE(from + 24)]
    const body = value.subarray(from + LIST_HEAD, from + whole)
    const entries = Array.from({ length: body.length / size }, (_, place) =>
      body.subarray(place * size, (place + 1) * size),
    )
    lists.push({ head: value.subarray(from, from + LIST_HEAD), size, entries })
    from += whole
  }
  return lists
}

function written(lists: readonly List[]): Buffer {
  const all = lists.map(({ head, entries }) => {
    const body = Buffer.concat(entries)
    const own = Buffer.from(head)
    own.writeUInt32LE(LIST_HEAD + body.length, 16)
    return Buffer.concat([own, body])
  })
  return Buffer.concat(all)
}

/** The lists of a database with at least one entry, changed. */
export function relisted(change: (lists: readonly List[]) => readonly List[]) {
  return (value: Buffer): Uint8Array => {
    const lists = listsIn(value)
    if (!lists.some(({ entries }) => entries.length > 0)) throw new Error('no such event')
    return new Uint8Array(written(change(lists)))
  }
}

export function eachEntry(
  change: (entry: Buffer, place: number, all: number) => readonly Buffer[],
) {
  return relisted((lists) =>
    lists.map((one) => ({
      ...one,
      entries: one.entries.flatMap((entry, place) => change(entry, place, one.entries.length)),
    })),
  )
}

export function bitTurned(entry: Buffer, from: number): Buffer {
  const other = Buffer.from(entry)
  other[from] = (other[from] ?? 0) ^ 1
  return other
}

export const KIND_OF_CERTIFICATES = Buffer.from('a159c0a5e494a74a87b5ab155c2bf072', 'hex')

export function retyped(lists: readonly List[], kind: Uint8Array): readonly List[] {
  return lists.map((one) => ({ ...one, head: Buffer.concat([kind, one.head.subarray(16)]) }))
}

export function relistedBytes(change: (value: Buffer) => Buffer) {
  return (value: Buffer): Uint8Array => {
    if (value.length === 0) throw new Error('no such event')
    return new Uint8Array(change(value))
  }
}

export function withNumber(value: Buffer, from: number, number: number): Buffer {
  const other = Buffer.from(value)
  other.writeUInt32LE(number, from)
  return other
}

export const CERTIFICATE = Buffer.concat([Buffer.alloc(16, 0x11), Buffer.alloc(64, 0x30)])

/** A list of one certificate that no database has. */
export function strangeList(): List {
  const head = Buffer.alloc(LIST_HEAD)
  KIND_OF_CERTIFICATES.copy(head)
  head.writeUInt32LE(CERTIFICATE.length, 24)
  return { head, size: CERTIFICATE.length, entries: [CERTIFICATE] }
}
