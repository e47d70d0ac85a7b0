import { groupBy } from '../group-by.ts'
import type { RequirementResult } from '../result.ts'
import { counted, thousands } from '../visible.ts'
import { type Html, html } from './escape.ts'
import type { Register } from './register.ts'
import {
  executedRow,
  type JudgedRow,
  judgeRow,
  ROW_STATES,
  type RowState,
  unexecutedRow,
} from './requirement-row.ts'
import { badge } from './shapes.ts'

const STATE_WORDS: Readonly<Record<RowState, string>> = {
  fail: 'failed',
  waived: 'excused',
  warn: 'warned',
  pass: 'held',
  'not executed': 'not executed',
}

const countOf = (rows: readonly JudgedRow[], state: RowState): number =>
  rows.filter((one) => one.state === state).length

const present = (rows: readonly JudgedRow[]): readonly RowState[] =>
  ROW_STATES.filter((state) => countOf(rows, state) > 0)

const stateCount = (rows: readonly JudgedRow[], state: RowState): Html => {
  const words = `${thousands(countOf(rows, state))} ${STATE_WORDS[state]}`
  return state === 'not executed' ? html`<span class="soft">${words}</span>` : badge(state, words)
}

const tableOf = (head: Html, rows: readonly Html[], name: string): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="${name}"><table class="matrix requirements">
<thead><tr><th scope="col">Requirement</th><th scope="col">Document</th>${head}</tr></thead>
<tbody>${rows}</tbody></table></div>`

/** What was executed comes in the order of urgency, so that a failure in a long section is at its top. */
const executedTable = (register: Register, component: string, rows: readonly JudgedRow[]): Html => {
  const ordered = ROW_STATES.flatMap((state) => rows.filter((one) => one.state === state))
  return tableOf(
    html`${register.versions.map((version) => html`<th scope="col" class="api">${version}</th>`)}`,
    ordered.map((one) => executedRow(register, one)),
    `Executed requirements of ${component}`,
  )
}

const unexecutedTable = (
  register: Register,
  component: string,
  rows: readonly JudgedRow[],
): Html => html`<details class="unexecuted"><summary>${thousands(rows.length)} not executed, and why</summary>
${tableOf(
  html`<th scope="col" class="reason">Why not</th>`,
  rows.map((one) => unexecutedRow(register, one)),
  `Requirements of ${component} that were not executed`,
)}</details>`

const componentOf = (register: Register, component: string, rows: readonly JudgedRow[]): Html => {
  const executed = rows.filter((one) => one.state !== 'not executed')
  const rest = rows.filter((one) => one.state === 'not executed')
  return html`
<details class="component" data-component="${component}"${countOf(rows, 'fail') > 0 && html` open`}>
<summary><h3>${component}</h3> <span class="soft">${counted(rows.length, 'requirement')}</span>
<span class="counts">${present(rows).map((state) => stateCount(rows, state))}</span></summary>
${executed.length > 0 && executedTable(register, component, executed)}
${rest.length > 0 && unexecutedTable(register, component, rest)}</details>`
}

const coverage = (rows: readonly JudgedRow[]): string => {
  const parts = present(rows).map(
    (state) => `${thousands(countOf(rows, state))} ${STATE_WORDS[state]}`,
  )
  return [counted(rows.length, 'requirement'), parts.join(', ')].filter(Boolean).join(': ')
}

/** Every requirement of the interface document, by component, with what became of it under each version. */
export const requirementsSection = (
  register: Register,
  requirements: readonly RequirementResult[],
): Html => {
  const rows = requirements.map((row) => judgeRow(register, row))
  const byComponent = groupBy(rows, ({ row }) => row.component)
  return html`<section id="requirements"><h2>Requirements</h2>
<p class="soft">${coverage(rows)}. Lines are lines of the interface document named above. A dash: the requirement is not
of that version. Components with a failed requirement are open; the filter looks into all of them.</p>
${[...byComponent].map(([component, own]) => componentOf(register, component, own))}
<p class="nothing" hidden>No requirement matches the filter.</p></section>`
}
