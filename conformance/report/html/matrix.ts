import { groupBy } from '../group-by.ts'
import { BY_URGENCY, OUTCOME_ROWS } from '../outcomes.ts'
import type { ScenarioResult } from '../result.ts'
import { counted } from '../visible.ts'
import { breakable, familyAnchor, scenarioAnchor } from './anchor.ts'
import { type Html, html } from './escape.ts'
import { type Family, foldFamilies } from './families.ts'
import type { Layout } from './layout.ts'
import type { Searchable } from './page-data.ts'
import type { RoleGroup } from './register.ts'
import { searchText } from './scenario.ts'
import { badge } from './shapes.ts'

const NOT_RUN = html`<td class="none">–<span class="visually-hidden"> did not run</span></td>`

const cell = (scenario: ScenarioResult | undefined): Html => {
  if (scenario === undefined) return NOT_RUN
  const { outcome } = scenario
  return html`<td class="cell o-${outcome}"><a href="#${scenarioAnchor(scenario)}">${badge(outcome, OUTCOME_ROWS[outcome].short)}</a></td>`
}

/** The runs of one scenario under its versions. */
type Runs = readonly ScenarioResult[]

const row = (versions: readonly string[], runs: Runs): Html | false => {
  const [first] = runs
  if (first === undefined) return false
  return html`
<tr><th scope="row">${breakable(first.id)}<span class="under">${first.title}</span></th>
${versions.map((version) => cell(runs.find((one) => one.version === version)))}</tr>`
}

const familyCell = (own: Runs, anchor: string): Html => {
  if (own.length === 0) return NOT_RUN
  const counts = BY_URGENCY.map((outcome) => ({
    outcome,
    count: own.filter((one) => one.outcome === outcome).length,
  })).filter(({ count }) => count > 0)
  return html`<td class="cell"><a href="#${anchor}">${counts.map(({ outcome, count }) => badge(outcome, `${count} ${OUTCOME_ROWS[outcome].short}`))}</a></td>`
}

const familyRow = (versions: readonly string[], role: string, family: Family): Html => {
  const { name, scenarios } = family
  const ids = new Set(scenarios.map(({ id }) => id))
  return html`
<tr><th scope="row">${breakable(`${name}.*`)}<span class="under">${counted(ids.size, 'scenario')}</span></th>
${versions.map((version) =>
  familyCell(
    scenarios.filter((one) => one.version === version),
    familyAnchor(role, name),
  ),
)}</tr>`
}

const searchable = (runs: Runs): Searchable => ({
  texts: [...new Set(runs.map(searchText))],
  outcomes: runs.map(({ outcome }) => outcome),
  versions: [...new Set(runs.map(({ version }) => version))],
})

const allPassed = (runs: Runs): boolean => runs.every(({ outcome }) => outcome === 'pass')

/** Rows whose markup the script inserts on demand. */
const compressedRows = ({ data, register }: Layout, rows: readonly Runs[]): Html => {
  const { versions } = register
  const markup = html`${rows.map((runs) => row(versions, runs))}`
  return html`<tbody${data.list(rows.map(searchable))}${data.compress('list', markup)}>
<tr class="rest"><td colspan="${versions.length + 1}"><span>${counted(rows.length, 'scenario')} passed wherever they ran
<span class="matches"></span><button type="button" data-fill hidden>Show</button></span></td></tr></tbody>`
}

/** In a family, only scenarios that did not pass have their own rows. */
const group = (layout: Layout, { role, scenarios }: RoleGroup): Html => {
  const { versions } = layout.register
  const { single, families } = foldFamilies(scenarios)
  const byId = groupBy(scenarios, ({ id }) => id)
  const notable = families.flatMap((one) => one.scenarios).filter((one) => !allPassed([one]))
  const alone = [...new Set([...single, ...notable].map(({ id }) => id))].map(
    (id) => byId.get(id) ?? [],
  )
  const shown = layout.compresses ? alone.filter((runs) => !allPassed(runs)) : alone
  const rest = layout.compresses ? alone.filter(allPassed) : []
  const items = [...shown, ...families.map((family) => family.scenarios)].map(searchable)
  return html`<tbody><tr class="role"><th scope="rowgroup" colspan="${versions.length + 1}">${role.replace('_', ' ')}
<span class="soft">${counted(byId.size, 'scenario')}</span></th></tr></tbody>
<tbody${layout.data.list(items)}>${shown.map((runs) => row(versions, runs))}${families.map((family) => familyRow(versions, role, family))}</tbody>
${rest.length > 0 && compressedRows(layout, rest)}`
}

/** Scenarios by role, one row each and one column per API version. */
export const matrixSection = (layout: Layout): Html => {
  const { versions, roles } = layout.register
  return html`<section id="matrix"><h2>Matrix</h2>
<p class="soft">Every scenario under every API version of the target; a cell links to the result.
A dash: it did not run under that version. The scenarios of a large family share a row.</p>
<div class="wide" tabindex="0" role="region" aria-label="Matrix of scenarios and versions"><table class="matrix">
<thead><tr><th scope="col">Scenario</th>${versions.map((version) => html`<th scope="col" class="api">${version}</th>`)}</tr></thead>
${roles.map((one) => group(layout, one))}</table></div></section>`
}
