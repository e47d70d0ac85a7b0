import { BY_URGENCY, OUTCOME_ROWS, reasonOf } from '../outcomes.ts'
import type { ScenarioResult } from '../result.ts'
import { counted, duration, shortLine } from '../visible.ts'
import { familyAnchor, scenarioAnchor } from './anchor.ts'
import { type Html, html, received } from './escape.ts'
import { foldFamilies } from './families.ts'
import type { Layout } from './layout.ts'
import { compressedNote, type PageData, type Searchable } from './page-data.ts'
import type { RoleGroup } from './register.ts'
import { badge } from './shapes.ts'

/** The searchable words of a scenario, the same under every version. */
export const searchText = ({ id, title, role, requirements }: ScenarioResult): string =>
  [id, title, role, ...requirements].join(' ')

const searchable = (scenario: ScenarioResult): Searchable => ({
  texts: [searchText(scenario)],
  outcomes: [scenario.outcome],
  versions: [scenario.version],
})

const whyOf = (scenario: ScenarioResult): Html | false =>
  scenario.outcome !== 'pass' &&
  html`<span class="why">${received(shortLine(reasonOf(scenario), 280))}</span>`

const summaryOf = (scenario: ScenarioResult): Html => html`<summary>${badge(scenario.outcome)}
<span class="names"><span class="title">${scenario.title}</span><code class="id">${scenario.id}</code>${whyOf(scenario)}</span>
<span class="version">API ${scenario.version}</span><span class="ms">${duration(scenario.ms)}</span></summary>`

/** A scenario under one version: a line that opens to its details. */
const scenarioOf = (layout: Layout, scenario: ScenarioResult): Html => {
  const { attributes, content } = layout.inside(scenario)
  return html`
<details class="scenario" data-outcome="${scenario.outcome}">${summaryOf(scenario)}
<div class="inside" id="${scenarioAnchor(scenario)}"${attributes}>${content}</div></details>`
}

const plainList = (layout: Layout, scenarios: readonly ScenarioResult[]): Html | false =>
  scenarios.length > 0 &&
  html`<div${layout.data.list(scenarios.map(searchable))}>${scenarios.map((one) => scenarioOf(layout, one))}</div>`

const compressedList = (layout: Layout, scenarios: readonly ScenarioResult[]): Html | false => {
  if (scenarios.length === 0) return false
  const list = layout.data.list(scenarios.map(searchable))
  const markup = html`${scenarios.map((one) => scenarioOf(layout, one))}`
  return html`<div${list}${layout.data.compress('list', markup)}>${compressedNote(`${counted(scenarios.length, 'run')} that passed`)}</div>`
}

const isPass = ({ outcome }: ScenarioResult): boolean => outcome === 'pass'

const listsOf = (layout: Layout, scenarios: readonly ScenarioResult[]): Html => {
  if (!layout.compresses) return html`${plainList(layout, scenarios)}`
  const others = scenarios.filter((one) => !isPass(one))
  return html`${plainList(layout, others)}${compressedList(layout, scenarios.filter(isPass))}`
}

const countsOf = (scenarios: readonly ScenarioResult[]): readonly Html[] =>
  BY_URGENCY.flatMap((outcome) => {
    const count = scenarios.filter((one) => one.outcome === outcome).length
    return count === 0 ? [] : [badge(outcome, `${count} ${OUTCOME_ROWS[outcome].short}`)]
  })

const foldOf = (
  layout: Layout,
  { name, anchor }: { readonly name: Html; readonly anchor: string },
  scenarios: readonly ScenarioResult[],
): Html => html`
<details class="family"><summary>${name}
<span class="soft">${counted(scenarios.length, 'run')}</span><span class="matches"></span>
<span class="counts">${countsOf(scenarios)}</span></summary>
<div id="${anchor}">${listsOf(layout, scenarios)}</div></details>`

const groupOf = (layout: Layout, { role, scenarios }: RoleGroup): Html => {
  const { single, families } = foldFamilies(scenarios)
  const shown = layout.compresses ? single.filter((one) => !isPass(one)) : single
  const folded = layout.compresses ? single.filter(isPass) : []
  const rest = { name: html`Passed`, anchor: familyAnchor(role, 'passed') }
  return html`<div class="group"><h3>${role.replace('_', ' ')}</h3>
${plainList(layout, shown)}${folded.length > 0 && foldOf(layout, rest, folded)}${families.map(
  ({ name, scenarios: own }) =>
    foldOf(
      layout,
      { name: html`<code class="id">${name}.*</code>`, anchor: familyAnchor(role, name) },
      own,
    ),
)}</div>`
}

const REST =
  'Scenarios by role, each under the versions it ran in. Open one for its checks and transcript.'

/** All scenarios, grouped by role in the order of the run. */
export const scenariosSection = (
  layout: Layout,
): Html => html`<section id="scenarios"><h2>Scenarios</h2>
<p class="soft">${REST}</p>
${layout.register.roles.map((group) => groupOf(layout, group))}
<p class="nothing" hidden>No scenario matches the filter.</p></section>`

/** Every outcome except pass, most urgent first, with the reason. */
export const attentionSection = (data: PageData, scenarios: readonly ScenarioResult[]): Html => {
  if (scenarios.length === 0) {
    return html`<section id="attention"><h2>Other than pass</h2><p class="soft">Every scenario passed.</p></section>`
  }
  return html`<section id="attention"><h2>Other than pass</h2>
<table class="attention"><thead><tr><th scope="col">Outcome</th><th scope="col">Scenario</th><th scope="col">API</th><th scope="col">Why</th></tr></thead>
<tbody${data.list(scenarios.map(searchable))}>${scenarios.map(attentionRow)}</tbody></table></section>`
}

const attentionRow = (scenario: ScenarioResult): Html => html`
<tr><td>${badge(scenario.outcome)}</td>
<th scope="row"><a href="#${scenarioAnchor(scenario)}"><code>${scenario.id}</code></a><span class="under">${scenario.title}</span></th>
<td class="num">${scenario.version}</td>
<td class="reason">${received(shortLine(reasonOf(scenario), 280))}</td></tr>`
