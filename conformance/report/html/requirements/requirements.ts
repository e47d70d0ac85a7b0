import { groupBy } from '../../group-by.ts'
import type { RequirementResult } from '../../requirement-result.ts'
import { counted, thousands } from '../../visible.ts'
import { type Html, html, textOf } from '../escape.ts'
import { LARGEST_PASSED, type Layout } from '../layout.ts'
import { compressedNote } from '../page-data.ts'
import type { Register } from '../register.ts'
import { badge } from '../shapes.ts'
import {
  type EvaluatedRow,
  evaluateRow,
  executedRow,
  ROW_STATES,
  type RowState,
  searchableRow,
  unexecutedRow,
} from './requirement-row.ts'

const STATE_WORDS: Readonly<Record<RowState, string>> = {
  fail: 'failed',
  waived: 'excused',
  warn: 'warned',
  pass: 'held',
  'not executed': 'not executed',
}

const countOf = (rows: readonly EvaluatedRow[], state: RowState): number =>
  rows.filter((one) => one.state === state).length

const present = (rows: readonly EvaluatedRow[]): readonly RowState[] =>
  ROW_STATES.filter((state) => countOf(rows, state) > 0)

const stateCount = (rows: readonly EvaluatedRow[], state: RowState): Html => {
  const words = `${thousands(countOf(rows, state))} ${STATE_WORDS[state]}`
  return state === 'not executed' ? html`<span class="soft">${words}</span>` : badge(state, words)
}

/** A part of a component: its rows, and their markup. */
interface Table {
  readonly name: string
  readonly head: Html
  readonly rows: readonly EvaluatedRow[]
  readonly markup: Html
}

const tableOf = ({ data }: Layout, { name, head, rows, markup }: Table, compresses: boolean) => {
  const [attributes, content] = compresses
    ? [data.compress('list', markup), html`<tr><td>${compressedNote('Requirements')}</td></tr>`]
    : [html``, markup]
  return html`<div class="wide" tabindex="0" role="region" aria-label="${name}"><table class="matrix requirements">
<thead><tr><th scope="col">Requirement</th><th scope="col">Document</th>${head}</tr></thead>
<tbody${data.list(rows.map(searchableRow))}${attributes}>${content}</tbody></table></div>`
}

/** Executed requirements in the order of urgency, so that failures are at the top of a long section. */
const executedTable = (
  register: Register,
  component: string,
  evaluated: readonly EvaluatedRow[],
): Table => {
  const rows = ROW_STATES.filter((state) => state !== 'not executed').flatMap((state) =>
    evaluated.filter((one) => one.state === state),
  )
  return {
    name: `Executed requirements of ${component}`,
    head: html`${register.versions.map((version) => html`<th scope="col" class="api">${version}</th>`)}`,
    rows,
    markup: html`${rows.map((one) => executedRow(register, one))}`,
  }
}

const unexecutedTable = (
  register: Register,
  component: string,
  evaluated: readonly EvaluatedRow[],
): Table => {
  const rows = evaluated.filter((one) => one.state === 'not executed')
  return {
    name: `Requirements of ${component} that were not executed`,
    head: html`<th scope="col" class="reason">Why not</th>`,
    rows,
    markup: html`${rows.map((one) => unexecutedRow(register, one))}`,
  }
}

interface Component {
  readonly name: string
  readonly rows: readonly EvaluatedRow[]
  readonly executed: Table
  readonly unexecuted: Table
}

const componentOf = (layout: Layout, one: Component, compresses: boolean): Html => {
  const { name, rows, executed, unexecuted } = one
  const rest = unexecuted.rows.length
  return html`
<details class="component" data-component="${name}"${countOf(rows, 'fail') > 0 && html` open`}>
<summary><h3>${name}</h3> <span class="soft">${counted(rows.length, 'requirement')}</span><span class="matches"></span>
<span class="counts">${present(rows).map((state) => stateCount(rows, state))}</span></summary>
${executed.rows.length > 0 && tableOf(layout, executed, compresses)}
${
  rest > 0 &&
  html`<details class="unexecuted"><summary>${thousands(rest)} not executed, and why<span class="matches"></span></summary>
${tableOf(layout, unexecuted, compresses)}</details>`
}</details>`
}

/** Whether every executed requirement of a component held. */
const isHeld = ({ rows }: Component): boolean =>
  rows.every(({ state }) => state === 'pass' || state === 'not executed')

const lengthOf = ({ executed, unexecuted }: Component): number =>
  textOf(executed.markup).length + textOf(unexecuted.markup).length

const coverage = (rows: readonly EvaluatedRow[]): string => {
  const parts = present(rows).map(
    (state) => `${thousands(countOf(rows, state))} ${STATE_WORDS[state]}`,
  )
  return [counted(rows.length, 'requirement'), parts.join(', ')].filter(Boolean).join(': ')
}

/**
 * Every requirement of the interface document by component, with its result under each version. In a large report,
 * components without a failure or warning are compressed.
 */
export const requirementsSection = (
  layout: Layout,
  requirements: readonly RequirementResult[],
): Html => {
  const { register } = layout
  const rows = requirements.map((row) => evaluateRow(register, row))
  const components = [...groupBy(rows, ({ row }) => row.component)].map(
    ([name, own]): Component => ({
      ...{ name, rows: own },
      executed: executedTable(register, name, own),
      unexecuted: unexecutedTable(register, name, own),
    }),
  )
  const compresses =
    components.filter(isHeld).reduce((sum, one) => sum + lengthOf(one), 0) > LARGEST_PASSED
  return html`<section id="requirements"><h2>Requirements</h2>
<p class="soft">${coverage(rows)}. Lines are lines of the interface document named above. A dash: the requirement does
not apply to that version. Components with a failed requirement are open; the filter searches all of them.</p>
${components.map((one) => componentOf(layout, one, compresses && isHeld(one)))}
<p class="nothing" hidden>No requirement matches the filter.</p></section>`
}
