import Table from 'cli-table3'
import { counted, shortLine, visibleLine } from '../../conformance/report/visible.ts'
import type { GroupResult, VectorResult } from './run-vectors.ts'
import type { VectorGroup } from './vectors.ts'

/** Differences that are printed; `--json` has all. */
const MOST_SHOWN = 40
/** Longer answers are cut. */
const LONGEST = 200

const OUTCOMES = ['agrees', 'differs', 'not judged'] as const

function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, at) => (at === 0 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  })
  for (const row of rows) table.push([...row])
  return table.toString()
}

/** The groups with their numbers of vectors by expected verdict. */
export function presentGroups(groups: readonly VectorGroup[]): string {
  const expected = ['valid', 'invalid', 'either'] as const
  const rows = groups.map(({ group, vectors }) => [
    ...[group, vectors.length],
    ...expected.map((one) => vectors.filter((vector) => vector.expected === one).length),
  ])
  const all = groups.flatMap(({ vectors }) => vectors).length
  return `${tableOf(['group', 'vectors', ...expected], rows)}\n${counted(all, 'vector')}\n`
}

function countOf(results: readonly VectorResult[], outcome: VectorResult['outcome']): number {
  return results.filter((one) => one.outcome === outcome).length
}

function presentDifference({ vector, answered, line }: VectorResult): string {
  const { id, comment, expected, reason, flaw } = vector
  const why = reason === undefined ? '' : ` (${reason})`
  const named = flaw === undefined ? '' : `\n    flaw ${flaw.case}: ${flaw.name}`
  return `  ${id}: expected ${expected}${why}, answered ${answered}\n    ${comment}${named}\n    ${shortLine(visibleLine(line), LONGEST)}`
}

/** The table by group, what differs, and the sum in the last line. */
export function presentResults(groups: readonly GroupResult[]): string {
  const all = groups.flatMap(({ results }) => results)
  const rows = [...groups, { group: 'all', results: all }].map(({ group, results }) => [
    ...[group, results.length],
    ...OUTCOMES.map((outcome) => countOf(results, outcome)),
  ])
  const differ = all.filter(({ outcome }) => outcome === 'differs')
  const left = differ.length - MOST_SHOWN
  return [
    tableOf(['group', 'vectors', ...OUTCOMES], rows),
    ...(differ.length === 0 ? [] : ['', 'different from what is expected']),
    ...differ.slice(0, MOST_SHOWN).map(presentDifference),
    ...(left > 0 ? [`  and ${left} more; --json FILE has all`] : []),
    '',
  ].join('\n')
}
