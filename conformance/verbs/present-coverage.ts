import Table from 'cli-table3'
import {
  type ComponentTally,
  coverCatalogue,
  type RunFacts,
  type ScenarioRows,
  tallyCatalogue,
  tallyReasons,
  tallyRun,
  unexecutedRows,
} from '../catalogue/coverage.ts'
import { type LineProof, tallyLines } from '../catalogue/prove-lines.ts'
import { type CatalogueRow, type Silence, TEST_METHODS } from '../catalogue/requirement.ts'
import { applies } from '../catalogue/routes/operations.ts'
import { STRENGTHS } from '../report/requirement-result.ts'
import { counted } from '../report/visible.ts'

export interface CoverageCase {
  readonly rows: readonly CatalogueRow[]
  readonly silences: readonly Silence[]
  readonly scenarios: readonly ScenarioRows[]
  readonly proof: LineProof
  /** A run, to show how much of the catalogue it executed. */
  readonly result?: RunFacts
}

/**
 * The output of `assay coverage`: rows by component, reasons for rows without a check, lines of the document, a run
 * with the rows that it did not execute.
 */
export function presentCoverage(subject: CoverageCase): string {
  const { rows, silences, scenarios, proof, result } = subject
  const { checked, excluded, neither } = coverCatalogue(rows, scenarios)
  return [
    presentTallies(tallyCatalogue(rows, scenarios)),
    '',
    `${rows.length} rows: ${checked.length} checked by ${counted(scenarios.length, 'scenario')}, ${excluded.length} not, for a reason, ${neither.length} not, without one`,
    ...tallyReasons(excluded).map((one) => `${String(one.rows).padStart(6)}  ${one.reason}`),
    ...neither.map(({ id, says }) => `        ${id}: ${says}`),
    presentSources(rows),
    `${counted(silences.length, 'silence')} of the document, which require nothing`,
    '',
    presentProof(proof),
    ...(result === undefined ? [] : ['', presentRun(rows, result), ...unexecuted(rows, result)]),
    '',
  ].join('\n')
}

/** What fixes the rows of strength `fixed`: the document, another specification, or the safety of the deployment. */
function presentSources(rows: readonly CatalogueRow[]): string {
  const fixed = rows.filter(({ strength }) => strength === 'fixed')
  const other = fixed.flatMap(({ fixed_by: source }) => (source === undefined ? [] : [source]))
  const safety = other.filter((source) => source === 'safety').length
  return `fixed by the document: ${fixed.length - other.length} rows; by another specification: ${other.length - safety}; by safety: ${safety}`
}

/** The lines of the document by class, and each line that no row cites. */
export function presentProof(proof: LineProof): string {
  const counts = tallyLines(proof).map(([standing, count]) => `${count} ${standing}`)
  const loose = proof.uncited.map((line) => `        line ${line} is cited by no row`)
  return [
    `${proof.table.length} lines of the interface document: ${counts.join(', ')}`,
    ...loose,
    ...proof.contradicted.map((sentence) => `        ${sentence}`),
  ].join('\n')
}

function presentTallies(tallies: readonly ComponentTally[]): string {
  const table = plainTable([
    'component',
    'rows',
    'checked',
    'security',
    ...STRENGTHS,
    ...TEST_METHODS,
  ])
  for (const tally of [...tallies, totalOf(tallies)]) {
    const { component, rows, checked, security, byStrength, byMethod } = tally
    const counts = [
      ...STRENGTHS.map((strength) => byStrength[strength]),
      ...TEST_METHODS.map((judged) => byMethod[judged]),
    ]
    table.push([component, rows, checked, security, ...counts])
  }
  return table.toString()
}

function totalOf(tallies: readonly ComponentTally[]): ComponentTally {
  const sum = (of: (tally: ComponentTally) => number) =>
    tallies.reduce((total, tally) => total + of(tally), 0)
  const sums = <K extends string>(
    keys: readonly K[],
    of: (tally: ComponentTally, key: K) => number,
  ) =>
    Object.fromEntries(keys.map((key) => [key, sum((tally) => of(tally, key))])) as Record<
      K,
      number
    >
  return {
    component: 'all',
    rows: sum(({ rows }) => rows),
    checked: sum(({ checked }) => checked),
    security: sum(({ security }) => security),
    byStrength: sums(STRENGTHS, ({ byStrength }, key) => byStrength[key]),
    byMethod: sums(TEST_METHODS, ({ byMethod }, key) => byMethod[key]),
  }
}

function presentRun(rows: readonly CatalogueRow[], result: RunFacts): string {
  const table = plainTable(['executed', 'version', 'rows', 'executed', 'held', 'broken'])
  for (const { component, version, rows: own, executed, held, broken } of tallyRun(rows, result)) {
    table.push([component, version, own, executed, held, broken])
  }
  return table.toString()
}

/** The rows without an executed check: their number by strength, and each with its reason. */
function unexecuted(
  rows: readonly CatalogueRow[],
  { scenarios, target }: RunFacts,
): readonly string[] {
  const left = unexecutedRows(rows, scenarios)
  const whyNot = (row: CatalogueRow) => {
    if (row.excluded !== undefined) return row.excluded
    return target.versions.some((version) => applies(row, version))
      ? 'no check of this run covers it'
      : 'the target has none of its versions'
  }
  const counts = STRENGTHS.map(
    (strength) => `${left.filter((row) => row.strength === strength).length} ${strength}`,
  )
  return [
    '',
    `${counted(left.length, 'row')} without an executed check: ${counts.join(', ')}`,
    ...left.map((row) => `        ${row.id}: ${whyNot(row)}`),
  ]
}

function plainTable(head: string[]) {
  return new Table({
    head,
    colAligns: head.map((_, at) => (at === 0 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  })
}
