import { type SeededRandom, seededRandom } from '../../conformance/attempt/random.ts'
import { readImaList } from '../../simulator/ima/list.ts'
import { parseAttest } from '../../simulator/tpm/attest.ts'
import { ShortRead } from '../../simulator/tpm/cursor.ts'
import { cat } from '../../simulator/tpm/write.ts'
import { readLog } from '../../simulator/uefi/read-log.ts'
import { cutShort, mutateBytes, oneOf, turnBit } from '../fuzz/mutate-bytes.ts'
import { type EvidenceFile, KINDS, type Kind } from './evidence-files.ts'

/** A number that a mutation changes. */
interface NumberField {
  readonly at: number
  readonly width: 1 | 2 | 4
  readonly order: 'big' | 'little'
}

/** Entries as pairs of offsets, and the fields that have lengths, counts or registers. */
interface Layout {
  readonly entries: readonly (readonly [start: number, end: number])[]
  readonly numbers: readonly NumberField[]
}

const little = (at: number, width: 2 | 4 = 4): NumberField => ({ at, width, order: 'little' })

function layoutOfLog(bytes: Uint8Array): Layout {
  const { events, header } = readLog(bytes)
  const numbers = events.flatMap(({ offset, dataOffset, digests }, number) => [
    ...[little(offset), little(offset + 4), little(dataOffset - 4)],
    ...(header === undefined ? [] : [little(offset + 8)]),
    ...(header === undefined ? [] : digests.map((digest) => little(digest.offset - 2, 2))),
    ...(number === 0 && header !== undefined ? [little(dataOffset + 24)] : []),
  ])
  return {
    entries: events.map(({ offset, length }) => [offset, offset + length]),
    numbers: numbers.filter(({ at, width }) => at >= 0 && at + width <= bytes.length),
  }
}

function layoutOfList(bytes: Uint8Array): Layout {
  const entries: [number, number][] = []
  const numbers: NumberField[] = []
  try {
    for (const { offset, length, entry, fieldOffsets } of readImaList(bytes)) {
      entries.push([offset, offset + length])
      const dataSize = little(offset + 28 + entry.template.length)
      numbers.push(little(offset), little(offset + 24), dataSize)
      numbers.push(...fieldOffsets.map((at) => little(at - 4)))
    }
  } catch (error) {
    if (!(error instanceof ShortRead)) throw error
  }
  return { entries, numbers: numbers.filter(({ at }) => at + 4 <= bytes.length) }
}

const NEWLINE = 0x0a

function layoutOfText(bytes: Uint8Array): Layout {
  const entries: [number, number][] = []
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline + 1
    entries.push([start, end])
    start = end
  }
  return { entries, numbers: [] }
}

function layoutOfQuote(bytes: Uint8Array): Layout {
  const numbers: NumberField[] = []
  const order = 'big'
  try {
    parseAttest(bytes, ({ path, offset }) => {
      if (/qualifiedSigner|extraData|pcrDigest|hash$/.test(path))
        numbers.push({ at: offset, width: 2, order })
      if (path.endsWith('sizeofSelect')) numbers.push({ at: offset, width: 1, order })
      if (path.endsWith('count')) numbers.push({ at: offset, width: 4, order })
    })
  } catch (error) {
    if (!(error instanceof ShortRead)) throw error
  }
  return { entries: [], numbers: numbers.filter(({ at, width }) => at + width <= bytes.length) }
}

const LAYOUTS: Readonly<Record<Kind, (bytes: Uint8Array) => Layout>> = {
  ...{ log: layoutOfLog, list: layoutOfList, 'text-list': layoutOfText, quote: layoutOfQuote },
}

/** Values that a number gets: those around its own, and those at its limits. */
function changeNumber(bytes: Uint8Array, { numbers }: Layout, random: SeededRandom): Uint8Array {
  const { at, width, order } = oneOf(numbers, random)
  const changed = Buffer.from(bytes)
  const own = order === 'big' ? changed.readUIntBE(at, width) : changed.readUIntLE(at, width)
  const limit = 256 ** width
  const edges = [own + 1, own - 1, own + 4, own - 4, own * 2, 0, 1, limit - 1, limit / 2, 24, 255]
  const value = (oneOf(edges, random) + limit) % limit
  if (order === 'big') changed.writeUIntBE(value, at, width)
  else changed.writeUIntLE(value, at, width)
  return changed
}

/** An entry that is missing, that comes twice, or that stands at another place. */
function moveEntry(bytes: Uint8Array, { entries }: Layout, random: SeededRandom): Uint8Array {
  const [start, end] = oneOf(entries, random)
  const entry = bytes.subarray(start, end)
  const [before, after] = [bytes.subarray(0, start), bytes.subarray(end)]
  const way = random.below(3)
  if (way === 0) return cat(before, after)
  if (way === 1) return cat(before, entry, entry, after)
  const [to] = oneOf(entries, random)
  return to <= start
    ? cat(bytes.subarray(0, to), entry, bytes.subarray(to, start), after)
    : cat(before, bytes.subarray(end, to), entry, bytes.subarray(to))
}

/** Characters on which readers of text stumble, in place of one. */
function changeCharacter(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const changed = Uint8Array.from(bytes)
  changed[random.below(Math.max(1, bytes.length))] = oneOf(
    [...Buffer.from(' \n\r\t\0:|0fFgA-'), 0xff, 0xc3],
    random,
  )
  return changed
}

function mutate({ kind, bytes }: EvidenceFile, random: SeededRandom): Uint8Array {
  const layout = LAYOUTS[kind](bytes)
  const ways = [
    ...[() => turnBit(bytes, random), () => cutShort(bytes, random)],
    () => mutateBytes(bytes, random),
    ...(layout.numbers.length > 0 ? [() => changeNumber(bytes, layout, random)] : []),
    ...(layout.entries.length > 0 ? [() => moveEntry(bytes, layout, random)] : []),
    ...(kind === 'text-list' ? [() => changeCharacter(bytes, random)] : []),
  ]
  return oneOf(ways, random)()
}

/** Larger files are not mutated: most of their bytes are padding. */
const LARGEST = 1 << 17

/** So many mutated files: the kinds take turns, and each is mutated in one or two places. */
export function* mutatedFiles(
  files: readonly EvidenceFile[],
  seed: string,
  count: number,
): Generator<EvidenceFile> {
  const byKind = KINDS.map((kind) =>
    files.filter((file) => file.kind === kind && file.bytes.length <= LARGEST),
  ).filter((some) => some.length > 0)
  for (let number = 0; number < count && byKind.length > 0; number += 1) {
    const random = seededRandom(seed, `mutation ${number}`)
    let file = oneOf(byKind[number % byKind.length] ?? [], random)
    const name = `${file.name}, mutation ${number}`
    for (let left = random.below(4) === 0 ? 2 : 1; left > 0; left -= 1)
      file = { ...file, name, bytes: mutate(file, random) }
    yield file
  }
}
