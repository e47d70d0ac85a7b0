import { groupBy } from '../group-by.ts'
import { BY_URGENCY, OUTCOME_ROWS } from '../outcomes.ts'
import type { RequirementResult } from '../requirement-result.ts'
import type { Outcome, ScenarioResult } from '../result.ts'
import { counted, thousands } from '../visible.ts'
import { requirementAnchor } from './anchor.ts'
import { type Html, html } from './escape.ts'
import type { Layout } from './layout.ts'
import type { Register } from './register.ts'
import { evaluateRow, ROW_STATES, type RowState } from './requirements/requirement-row.ts'
import { shape } from './shapes.ts'

type Runs = readonly ScenarioResult[]

/** Outcomes that say nothing of a deployment; a cell shows one only if it has no other. */
const LEAST: readonly Outcome[] = ['observed', 'waived', 'not-applicable', 'skipped']

const ORDER = [...BY_URGENCY.filter((outcome) => !LEAST.includes(outcome)), ...LEAST]

/** How urgent the worst of some outcomes is: 0 is the most urgent. */
const urgencyOf = (runs: Runs): number =>
  Math.min(...runs.map(({ outcome }) => ORDER.indexOf(outcome)))

/** The number of runs with the worst outcome; the script filters for them. */
const cell = (area: string, version: string, runs: Runs): Html => {
  const outcome = ORDER[urgencyOf(runs)]
  if (outcome === undefined)
    return html`<td class="none">–<span class="visually-hidden"> did not run</span></td>`
  const count = runs.filter((one) => one.outcome === outcome).length
  const words = `${count} of ${runs.length} ${OUTCOME_ROWS[outcome].short}`
  return html`<td class="o-${outcome}"><a href="#scenarios" data-words="${area}. ${version}" data-outcome="${outcome}" title="${area} under ${version}: ${words}">${shape(outcome)}${thousands(count)}<span class="visually-hidden"> ${words}</span></a></td>`
}

const areaRow = (versions: readonly string[], area: string, runs: Runs): Html => html`
<tr><th scope="row">${area}</th>${versions.map((version) =>
  cell(
    area,
    version,
    runs.filter((one) => one.version === version),
  ),
)}</tr>`

/** Areas of scenarios by versions, the areas with failures first: it fits a screen. */
const gridOf = ({ versions, roles }: Register): Html => {
  const all = roles.flatMap(({ scenarios }) => scenarios)
  const areas = [...groupBy(all, ({ id }) => id.split('.')[0] ?? id)].toSorted(
    ([one, its], [other, others]) => urgencyOf(its) - urgencyOf(others) || one.localeCompare(other),
  )
  return html`<div class="wide" tabindex="0" role="region" aria-label="Areas and versions"><table class="grid">
<thead><tr><th scope="col">Area</th>${versions.map((version) => html`<th scope="col">${version}</th>`)}</tr></thead>
<tbody>${areas.map(([area, runs]) => areaRow(versions, area, runs))}</tbody></table></div>`
}

/** What requirements say of one line of the interface document. */
interface Line {
  readonly number: number
  readonly ids: readonly string[]
  readonly state: RowState
}

const STATE_SHAPES: Readonly<Record<RowState, Outcome>> = {
  fail: 'fail',
  waived: 'waived',
  warn: 'warn',
  pass: 'pass',
  'not executed': 'not-applicable',
}

/** Every line that a requirement cites, with the worst state of these requirements. */
const linesOf = (register: Register, requirements: readonly RequirementResult[]) => {
  const cited = requirements.flatMap((row) => {
    const { state } = evaluateRow(register, row)
    return row.lines.map((number) => ({ number, id: row.id, state }))
  })
  return [...groupBy(cited, ({ number }) => number)]
    .map(([number, rows]): Line => {
      const state =
        ROW_STATES.find((one) => rows.some((row) => row.state === one)) ?? 'not executed'
      const ids = rows.toSorted((one) => (one.state === state ? -1 : 1)).map(({ id }) => id)
      return { number, ids, state }
    })
    .toSorted((one, other) => one.number - other.number)
}

/** Lines of the document in a row of the map. */
const IN_ROW = 50
/** Units of the drawing for a line; a gap of 1 is in it. */
const UNIT = 10

const square = ({ number, ids: [first = '', ...others], state }: Line): Html => {
  const [x, y] = [(number - 1) % IN_ROW, Math.floor((number - 1) / IN_ROW)]
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other')}`
  return html`<a href="#${requirementAnchor(first)}"><rect class="o-${STATE_SHAPES[state]}" x="${x * UNIT}" y="${y * UNIT}" width="9" height="9" rx="1.5"/><title>Line ${number}: ${first}${more}, ${state}</title></a>`
}

/** A square for each line of the interface document that a requirement cites. */
const mapOf = (lines: readonly Line[]): Html => {
  const last = lines.at(-1)?.number ?? 0
  const height = Math.ceil(last / IN_ROW) * UNIT
  const counts = ROW_STATES.map(
    (state) => [state, lines.filter((one) => one.state === state).length] as const,
  )
  const present = counts.filter(([, count]) => count > 0)
  return html`<figure class="map"><svg viewBox="0 0 ${IN_ROW * UNIT} ${height}" role="group" aria-label="Lines of the interface document">${lines.map(square)}</svg>
<figcaption>Lines 1 to ${last} of the interface document, ${IN_ROW} in a row: ${present.map(([state, count]) => html`<span class="badge o-${STATE_SHAPES[state]}">${shape(STATE_SHAPES[state])}${count} ${state}</span>`)}.
A line has the worst result of its requirements, and leads to it.</figcaption></figure>`
}

/** The run at a glance: areas by versions, and the document's lines. */
export const overviewSection = (
  { register }: Layout,
  requirements: readonly RequirementResult[],
): Html => {
  const lines = linesOf(register, requirements)
  return html`<section id="overview"><h2>Overview</h2>
<p class="soft">Scenarios by area and API version: how many have the worst outcome there. A cell shows these alone.</p>
${gridOf(register)}
${lines.length > 0 && mapOf(lines)}</section>`
}
