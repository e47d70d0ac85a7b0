import { BY_URGENCY, OUTCOME_ROWS } from '../outcomes.ts'
import type { ScenarioResult } from '../result.ts'
import { counted } from '../visible.ts'
import { breakable, familyAnchor, scenarioAnchor } from './anchor.ts'
import { type Html, html } from './escape.ts'
import { type Family, foldFamilies } from './families.ts'
import type { Register, RoleGroup } from './register.ts'
import { searchWords } from './scenario.ts'
import { badge } from './shapes.ts'

const cell = (scenario: ScenarioResult | undefined): Html => {
  if (scenario === undefined)
    return html`<td class="none">–<span class="heard"> did not run</span></td>`
  const { outcome } = scenario
  return html`<td class="cell o-${outcome}"><a href="#${scenarioAnchor(scenario)}">${badge(outcome, OUTCOME_ROWS[outcome].short)}</a></td>`
}

const row = (versions: readonly string[], runs: readonly ScenarioResult[]): Html | false => {
  const [first] = runs
  if (first === undefined) return false
  const outcomes = runs.map(({ outcome }) => outcome).join(' ')
  return html`
<tr data-outcome="${outcomes}" data-words="${runs.map(searchWords).join(' ')}"><th scope="row">${breakable(first.id)}<span class="under">${first.title}</span></th>
${versions.map((version) => cell(runs.find((one) => one.version === version)))}</tr>`
}

const familyCell = (own: readonly ScenarioResult[], anchor: string): Html => {
  if (own.length === 0) return html`<td class="none">–<span class="heard"> did not run</span></td>`
  const counts = BY_URGENCY.map((outcome) => ({
    outcome,
    count: own.filter((one) => one.outcome === outcome).length,
  })).filter(({ count }) => count > 0)
  return html`<td class="cell"><a href="#${anchor}">${counts.map(({ outcome, count }) => badge(outcome, `${count} ${OUTCOME_ROWS[outcome].short}`))}</a></td>`
}

const familyRow = (versions: readonly string[], role: string, family: Family): Html => {
  const { name, scenarios } = family
  const outcomes = [...new Set(scenarios.map(({ outcome }) => outcome))].join(' ')
  const ids = new Set(scenarios.map(({ id }) => id))
  return html`
<tr data-outcome="${outcomes}" data-words="${scenarios.map(searchWords).join(' ')}"><th scope="row">${breakable(`${name}.*`)}<span class="under">${counted(ids.size, 'scenario')}</span></th>
${versions.map((version) =>
  familyCell(
    scenarios.filter((one) => one.version === version),
    familyAnchor(role, name),
  ),
)}</tr>`
}

/** Of a family only what did not pass has rows of its own. */
const group = (versions: readonly string[], { role, scenarios }: RoleGroup): Html => {
  const ids = [...new Set(scenarios.map(({ id }) => id))]
  const { single, families } = foldFamilies(scenarios)
  const telling = families.flatMap((family) =>
    family.scenarios.filter(({ outcome }) => outcome !== 'pass'),
  )
  const alone = [...new Set([...single, ...telling].map(({ id }) => id))]
  return html`<tbody><tr class="role"><th scope="rowgroup" colspan="${versions.length + 1}">${role}
<span class="soft">${counted(ids.length, 'scenario')}</span></th></tr>
${alone.map((id) =>
  row(
    versions,
    scenarios.filter((one) => one.id === id),
  ),
)}${families.map((family) => familyRow(versions, role, family))}</tbody>`
}

/** Scenarios by role, one row each and one column per API version. */
export const matrixSection = (register: Register): Html => {
  const { versions, roles } = register
  return html`<section id="matrix"><h2>Matrix</h2>
<p class="soft">Every scenario under every API version of the target; a cell leads to what happened there.
A dash: it did not run under that version. Many of one kind share a row.</p>
<div class="wide" tabindex="0" role="region" aria-label="Matrix of scenarios and versions"><table class="matrix">
<thead><tr><th scope="col">Scenario</th>${versions.map((version) => html`<th scope="col" class="api">${version}</th>`)}</tr></thead>
${roles.map((one) => group(versions, one))}</table></div></section>`
}
