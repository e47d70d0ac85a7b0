import { OUTCOME_ROWS } from '../outcomes.ts'
import type { ScenarioResult } from '../result.ts'
import { counted } from '../visible.ts'
import { breakable, scenarioAnchor } from './anchor.ts'
import { type Html, html } from './escape.ts'
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

const group = (versions: readonly string[], { role, scenarios }: RoleGroup): Html => {
  const ids = [...new Set(scenarios.map(({ id }) => id))]
  return html`<tbody><tr class="role"><th scope="rowgroup" colspan="${versions.length + 1}">${role}
<span class="soft">${counted(ids.length, 'scenario')}</span></th></tr>
${ids.map((id) =>
  row(
    versions,
    scenarios.filter((one) => one.id === id),
  ),
)}</tbody>`
}

/** Scenarios by role, one row each and one column per API version. */
export const matrixSection = (register: Register): Html => {
  const { versions, roles } = register
  return html`<section id="matrix"><h2>Matrix</h2>
<p class="soft">Every scenario under every API version of the target; a cell leads to what happened there.
A dash: it did not run under that version.</p>
<div class="wide" tabindex="0" role="region" aria-label="Matrix of scenarios and versions"><table class="matrix">
<thead><tr><th scope="col">Scenario</th>${versions.map((version) => html`<th scope="col" class="api">${version}</th>`)}</tr></thead>
${roles.map((one) => group(versions, one))}</table></div></section>`
}
