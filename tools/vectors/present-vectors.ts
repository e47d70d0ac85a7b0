import Table from 'cli-table3'
import { counted, shortLine, visibleLine } from '../../conformance/report/visible.ts'
import { OUTCOMES, type VectorResult } from './results.ts'
import { EXPECTED, type Vector, type VectorGroup } from './vector.ts'

/** Differences that are printed; `--json` has all. */
const MOST_SHOWN = 40
/** Longer answers are cut. */
const LONGEST = 200

export type Vectors = ReadonlyMap<string, Vector>

/** Rows of numbers under a head, the first column with names. */
export function presentRows(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, at) => (at === 0 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  })
  for (const row of rows) table.push([...row])
  return table.toString()
}

/** The groups with their numbers of vectors by expected verdict, and the sum. */
export function presentGroups(groups: readonly VectorGroup[]): string {
  const all = { group: 'all', vectors: groups.flatMap(({ vectors }) => vectors) }
  const rows = [...groups, all].map(({ group, vectors }) => [
    ...[group, vectors.length],
    ...EXPECTED.map((one) => vectors.filter(({ expected }) => expected === one).length),
  ])
  return `${presentRows(['group', 'vectors', ...EXPECTED], rows)}\n`
}

/** A vector as lines: the change, the flaw, what is required, and the readings of an open verdict. */
export function presentVector(vector: Vector, groups: readonly VectorGroup[]): readonly string[] {
  const { comment, flaw = '', requirements, readings } = vector
  const group = groups.find(({ vectors }) => vectors.includes(vector))
  const named = group?.flaws[flaw]
  return [
    `    ${comment}`,
    ...(named === undefined ? [] : [`    flaw ${flaw}: ${named}`]),
    ...requirements.map((id) => `    ${id}: ${group?.requirements[id]}`),
    ...(readings === undefined
      ? []
      : [`    valid if ${readings.valid}; invalid if ${readings.invalid}`]),
  ]
}

/** A line of an answer, short and without control characters. */
export function presentAnswer(answer: string): string {
  return shortLine(visibleLine(answer), LONGEST)
}

function presentDifference(
  { id, expected, answered, answer }: VectorResult,
  groups: readonly VectorGroup[],
  vectors: Vectors,
): readonly string[] {
  const vector = vectors.get(id)
  const why = vector?.reason === undefined ? '' : ` (${vector.reason})`
  return [
    `  ${id}: expected ${expected}${why}, ${answered === 'no answer' ? 'gave no answer' : `answered ${answered}`}`,
    ...(vector === undefined ? [] : presentVector(vector, groups)),
    `    ${presentAnswer(answer)}`,
  ]
}

/** Vectors by id. */
export function vectorsById(groups: readonly VectorGroup[]): Vectors {
  return new Map(groups.flatMap(({ vectors }) => vectors).map((vector) => [vector.id, vector]))
}

/** The table by group, and what differs. */
export function presentResults(
  results: readonly VectorResult[],
  groups: readonly VectorGroup[],
): string {
  const names = [...groups.map(({ group }) => group), 'all']
  const rows = names.map((name) => {
    const own = results.filter(({ group }) => name === 'all' || group === name)
    const counts = OUTCOMES.map((one) => own.filter(({ outcome }) => outcome === one).length)
    return [name, own.length, ...counts]
  })
  const differ = results.filter(({ outcome }) => outcome === 'differs')
  const vectors = vectorsById(groups)
  const left = differ.length - MOST_SHOWN
  return [
    presentRows(['group', 'vectors', ...OUTCOMES], rows),
    ...(differ.length === 0 ? [] : ['', 'different from what is expected']),
    ...differ.slice(0, MOST_SHOWN).flatMap((one) => presentDifference(one, groups, vectors)),
    ...(left > 0 ? [`  and ${counted(left, 'other')}; --json FILE has all`] : []),
    '',
  ].join('\n')
}
