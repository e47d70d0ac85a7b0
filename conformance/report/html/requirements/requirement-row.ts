import { STANDING_ROWS, STANDINGS, standingOf } from '../../diff/standing.ts'
import { compareVersions } from '../../outcomes.ts'
import type { RequirementResult } from '../../requirement-result.ts'
import type { Outcome } from '../../result.ts'
import { requirementAnchor, scenarioAnchor } from '../anchor.ts'
import { type Html, html, sentence } from '../escape.ts'
import type { Searchable } from '../page-data.ts'
import type { Register, ScenarioCheck } from '../register.ts'
import { badge } from '../shapes.ts'

const STRENGTH_WORDS: Readonly<Record<RequirementResult['strength'], string>> = {
  fixed: 'fixed by the document',
  either: 'either',
  'two-readings': 'two readings',
  silent: 'silent',
}

const RANGE = /(\d+\.\d+)(?:\s*(-|–|to\b)\s*(\d+\.\d+)?)?/g

/**
 * Whether a range such as `2.1-2.5, 3.0`, or `2.1-` for all later versions, contains the version; any other text
 * contains every version.
 */
export const rangeHolds = (range: string, version: string): boolean => {
  const parts = [...range.matchAll(RANGE)]
  if (parts.length === 0) return true
  return parts.some(([, from = '', dash, to]) => {
    if (compareVersions(version, from) < 0) return false
    const until = to ?? (dash === undefined ? from : undefined)
    return until === undefined || compareVersions(version, until) <= 0
  })
}

const rangeWords = (range: string): string => range.replace(/(\d)-$/, '$1 and later')

/** The result of a requirement under one version: that of its worst check. */
const worstOf = (
  register: Register,
  row: RequirementResult,
  version: string,
): { readonly outcome: Outcome; readonly scenarioCheck?: ScenarioCheck } | undefined => {
  const found = row.by_version[version]
  if (found === undefined) return undefined
  const scenarioChecks = register.scenarioChecks(row.id, version)
  const standing = STANDINGS.findLast((one) =>
    scenarioChecks.some(({ check }) => standingOf(check) === one),
  )
  const scenarioCheck = scenarioChecks.find(({ check }) => standingOf(check) === standing)
  if (standing === undefined || scenarioCheck === undefined) return { outcome: found }
  return { outcome: STANDING_ROWS[standing].shape, scenarioCheck }
}

/** The result of a requirement over all versions. */
export type RowState = 'fail' | 'waived' | 'warn' | 'pass' | 'not executed'

export const ROW_STATES: readonly RowState[] = ['fail', 'waived', 'warn', 'pass', 'not executed']

/** A requirement with its outcomes by version, as far as it was executed. */
export interface EvaluatedRow {
  readonly row: RequirementResult
  readonly state: RowState
  readonly cells: ReadonlyMap<
    string,
    { readonly outcome: Outcome; readonly scenarioCheck?: ScenarioCheck }
  >
}

/** Looks up a requirement under every version of the run. */
export const evaluateRow = (register: Register, row: RequirementResult): EvaluatedRow => {
  const cells = new Map<
    string,
    { readonly outcome: Outcome; readonly scenarioCheck?: ScenarioCheck }
  >()
  for (const version of register.versions) {
    const worst = worstOf(register, row, version)
    if (worst !== undefined) cells.set(version, worst)
  }
  const outcomes = new Set<string>([...cells.values()].map(({ outcome }) => outcome))
  return { row, cells, state: ROW_STATES.find((one) => outcomes.has(one)) ?? 'not executed' }
}

const cellOf = ({ row, cells }: EvaluatedRow, version: string): Html => {
  const found = cells.get(version)
  if (found === undefined) {
    return rangeHolds(row.versions, version)
      ? html`<td class="none"><span>not executed</span></td>`
      : html`<td class="none">–<span class="visually-hidden"> not in this version</span></td>`
  }
  const { outcome, scenarioCheck } = found
  const mark = badge(outcome)
  return html`<td class="cell o-${outcome}">${
    scenarioCheck === undefined
      ? mark
      : html`<a href="#${scenarioAnchor(scenarioCheck.scenario)}">${mark}</a>`
  }</td>`
}

const linesOf = (lines: readonly number[]): string =>
  lines.length === 0 ? 'no line' : `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`

const headOf = (
  row: RequirementResult,
): Html => html`<th scope="row"><span class="says">${sentence(row.says)}</span>
<span class="under"><code>${row.id}</code> ${linesOf(row.lines)} <span class="range">${rangeWords(row.versions)}</span>
${row.judged !== undefined && html` <span class="by">method: ${row.judged}</span>`}
${row.judged_by !== undefined && html` <span class="by">judged by ${row.judged_by.join(', ')}</span>`}${row.readings !== undefined && html` <span class="by">reading met: ${row.readings.join('; ')}</span>`}
${row.security === true && html` <span class="weakness">security</span>`}</span></th>
<td class="strength">${strengthOf(row)}</td>`

const strengthOf = ({ strength, fixed_by: source }: RequirementResult): string =>
  source === undefined ? STRENGTH_WORDS[strength] : `fixed by ${source}`

/** The text by which the filter finds a requirement. */
export const searchableRow = ({ row, cells }: EvaluatedRow): Searchable => ({
  texts: [
    [
      ...[row.component, row.id, row.says, linesOf(row.lines), rangeWords(row.versions)],
      ...[strengthOf(row), `method: ${row.judged ?? ''}`],
      ...(row.security === true ? ['security'] : []),
    ].join(' '),
  ],
  outcomes: [...cells.values()].map(({ outcome }) => outcome),
  versions: [],
})

/** A requirement with at least one executed check, one cell per version. */
export const executedRow = (register: Register, evaluated: EvaluatedRow): Html => html`
<tr id="${requirementAnchor(evaluated.row.id)}">${headOf(evaluated.row)}
${register.versions.map((version) => cellOf(evaluated, version))}</tr>`

/** Why no check of this run covered a requirement. */
const whyNotExecuted = (register: Register, row: RequirementResult): string => {
  if (row.excluded !== undefined) return row.excluded
  if (!register.versions.some((version) => rangeHolds(row.versions, version)))
    return 'The target has none of its versions.'
  return 'No check of this run covers it.'
}

/** A requirement without an executed check, with the reason. */
export const unexecutedRow = (register: Register, { row }: EvaluatedRow): Html => html`
<tr id="${requirementAnchor(row.id)}">${headOf(row)}
<td class="reason">${sentence(whyNotExecuted(register, row))}</td></tr>`
