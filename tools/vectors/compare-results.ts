import { SetupFault } from '../../conformance/input/fault.ts'
import { hexRows } from '../../conformance/report/transcripts/hex-rows.ts'
import { counted } from '../../conformance/report/visible.ts'
import { toHex } from '../../simulator/tpm/write.ts'
import { type Change, changesOf } from './changes.ts'
import {
  presentAnswer,
  presentRows,
  presentVector,
  type Vectors,
  vectorsById,
} from './present-vectors.ts'
import type { VectorResult, VectorResults } from './results.ts'
import type { Vector, VectorGroup } from './vector.ts'

/** A vector that two adapters answer differently. */
export interface Disagreement {
  readonly vector: Vector
  readonly one: VectorResult
  readonly other: VectorResult
}

/** Vectors that both files have, with those that are answered differently. */
interface Compared {
  readonly group: string
  readonly both: number
  readonly differ: readonly Disagreement[]
}

/** Compares two results of the same vectors, group by group; a vector that one adapter does not judge is left out. */
export function compareResults(
  one: VectorResults,
  other: VectorResults,
  groups: readonly VectorGroup[],
): readonly Compared[] {
  if (one.corpus_sha256 !== other.corpus_sha256)
    throw new SetupFault('the two files are of different vectors', {
      next: 'run both adapters with the same Assay and the same --group',
    })
  const vectors = vectorsById(groups)
  const theirs = new Map(other.results.map((result) => [result.id, result]))
  return groups.flatMap(({ group }) => {
    const both = one.results.flatMap((result) => {
      const against = theirs.get(result.id)
      const vector = vectors.get(result.id)
      const skipped = [result, against].some((each) => each?.answered === 'not judged')
      if (result.group !== group || against === undefined || vector === undefined || skipped)
        return []
      return [{ vector, one: result, other: against }]
    })
    if (both.length === 0) return []
    const differ = both.filter((pair) => pair.one.answered !== pair.other.answered)
    return [{ group, both: both.length, differ }]
  })
}

/** Rows of 16 bytes that are shown of a difference; the rest is counted. */
const MOST_BYTES = 64

function presentBytes(title: string, bytes: Uint8Array): readonly string[] {
  if (bytes.length === 0) return [`      ${title}  nothing`]
  const rows = hexRows(toHex(bytes.subarray(0, MOST_BYTES))).split('\n')
  const left = bytes.length - MOST_BYTES
  return [
    ...rows.map((row, at) => `      ${at === 0 ? title : ' '.repeat(title.length)}  ${row}`),
    ...(left > 0 ? [`      ${' '.repeat(title.length)}  and ${counted(left, 'byte')} more`] : []),
  ]
}

function presentChange({ part, offset, length, field, before, after }: Change): readonly string[] {
  const where = field === undefined ? '' : ` (${field})`
  return [
    `    ${part}: from byte ${offset}${where} of ${length}`,
    ...presentBytes('baseline', before),
    ...presentBytes('vector  ', after),
  ]
}

function presentDisagreement(
  { vector, one, other }: Disagreement,
  groups: readonly VectorGroup[],
  vectors: Vectors,
): readonly string[] {
  const baseline = vectors.get(vector.baseline ?? '')
  return [
    '',
    `  ${vector.id}: A ${one.answered}, B ${other.answered}; expected ${vector.expected}`,
    ...presentVector(vector, groups),
    `    A  ${presentAnswer(one.answer)}`,
    `    B  ${presentAnswer(other.answer)}`,
    ...(baseline === undefined ? [] : changesOf(baseline.body, vector.body).flatMap(presentChange)),
  ]
}

/** The table by group, and each disagreement with the bytes of the vector that differ from its baseline. */
export function presentComparison(
  [one, other]: readonly [VectorResults, VectorResults],
  compared: readonly Compared[],
  groups: readonly VectorGroup[],
): string {
  const vectors = vectorsById(groups)
  const differ = compared.flatMap((group) => group.differ)
  const both = compared.reduce((sum, group) => sum + group.both, 0)
  const rows = [...compared, { group: 'all', both, differ }].map((row) => [
    ...[row.group, row.both, row.both - row.differ.length, row.differ.length],
  ])
  return [
    `A  ${presentAnswer(one.adapter)}`,
    `B  ${presentAnswer(other.adapter)}`,
    presentRows(['group', 'both answer', 'alike', 'differently'], rows),
    ...differ.flatMap((each) => presentDisagreement(each, groups, vectors)),
    '',
  ].join('\n')
}
