import { BY_URGENCY, OUTCOME_ROWS, reasonOf } from '../outcomes.ts'
import type { ScenarioResult } from '../result.ts'
import { counted, duration, shortLine } from '../visible.ts'
import { familyAnchor, requirementAnchor, scenarioAnchor } from './anchor.ts'
import { checksOf, observationsOf } from './checks.ts'
import type { Transcripts } from './deferred.ts'
import { type Html, html, received, sentence } from './escape.ts'
import { type Family, foldFamilies } from './families.ts'
import type { Register, RoleGroup } from './register.ts'
import { badge } from './shapes.ts'

/** The words that the filter of the page looks in. */
export const searchWords = (scenario: ScenarioResult): string =>
  [scenario.id, scenario.title, scenario.role, scenario.version, ...scenario.requirements]
    .join(' ')
    .toLowerCase()

const requirementItem = (register: Register, id: string): Html => {
  const row = register.requirement(id)
  return html`<li><a href="#${requirementAnchor(id)}">${id}</a>${row !== undefined && html` <span>${sentence(row.says)}</span>`}</li>`
}

const twinOf = (register: Register, scenario: ScenarioResult): Html | false => {
  const { variant_of } = scenario
  if (variant_of === undefined) return false
  const twin = register.scenario(variant_of, scenario.version)
  if (twin === undefined)
    return html`<dt>Passing twin</dt><dd><code>${variant_of}</code>, not in this run</dd>`
  return html`<dt>Passing twin</dt><dd><a href="#${scenarioAnchor(twin)}"><code>${twin.id}</code></a> ${badge(twin.outcome)}</dd>`
}

const factsOf = (register: Register, scenario: ScenarioResult): Html => html`<dl class="about">
<dt>Requirements</dt><dd>${
  scenario.requirements.length === 0
    ? html`<span class="empty">none named</span>`
    : html`<ul class="plain">${scenario.requirements.map((id) => requirementItem(register, id))}</ul>`
}</dd>
${twinOf(register, scenario)}
<dt>Repeat</dt><dd><code class="command">${scenario.repeat}</code></dd></dl>`

const whyOf = (scenario: ScenarioResult): Html | false =>
  scenario.outcome !== 'pass' &&
  html`<span class="why">${received(shortLine(reasonOf(scenario), 280))}</span>`

const summaryOf = (scenario: ScenarioResult): Html => html`<summary>${badge(scenario.outcome)}
<span class="names"><span class="title">${scenario.title}</span><code class="id">${scenario.id}</code>${whyOf(scenario)}</span>
<span class="version">API ${scenario.version}</span><span class="ms">${duration(scenario.ms)}</span></summary>`

/** One scenario under one version: a line that opens to all that is known about it. */
export const scenarioOf = (
  register: Register,
  transcripts: Transcripts,
  scenario: ScenarioResult,
): Html => html`
<details class="scenario" data-outcome="${scenario.outcome}" data-words="${searchWords(scenario)}">
${summaryOf(scenario)}
<div class="inside" id="${scenarioAnchor(scenario)}">
${factsOf(register, scenario)}
<h4>Checks</h4>${checksOf(scenario)}
${observationsOf(scenario)}
<h4>Transcript</h4>${transcripts.of(scenario)}
</div></details>`

const REST =
  'Scenarios by role, each under the versions it ran in. Open one for its checks and transcript.'

const familyOf = (role: string, family: Family, show: (one: ScenarioResult) => Html): Html => {
  const { name, scenarios } = family
  const outcomes = BY_URGENCY.map((outcome) => ({
    outcome,
    count: scenarios.filter((one) => one.outcome === outcome).length,
  })).filter(({ count }) => count > 0)
  return html`
<details class="family"><summary><code class="id">${name}.*</code>
<span class="soft">${counted(scenarios.length, 'run')}</span>
<span class="counts">${outcomes.map(({ outcome, count }) => badge(outcome, `${count} ${OUTCOME_ROWS[outcome].short}`))}</span></summary>
<div id="${familyAnchor(role, name)}">${scenarios.map(show)}</div></details>`
}

const groupOf = ({ role, scenarios }: RoleGroup, show: (one: ScenarioResult) => Html): Html => {
  const { single, families } = foldFamilies(scenarios)
  return html`<div class="group"><h3>${role}</h3>
${single.map(show)}${families.map((family) => familyOf(role, family, show))}</div>`
}

/** All scenarios, grouped by role in the order of the run. */
export const scenariosSection = (
  register: Register,
  transcripts: Transcripts,
): Html => html`<section id="scenarios"><h2>Scenarios</h2>
<p class="soft">${REST}</p>
${register.roles.map((group) => groupOf(group, (one) => scenarioOf(register, transcripts, one)))}
<p class="nothing" hidden>No scenario matches the filter.</p></section>`

/** Everything but plain passes, most urgent first, with the reason. */
export const attentionSection = (scenarios: readonly ScenarioResult[]): Html => {
  if (scenarios.length === 0) {
    return html`<section id="attention"><h2>Other than pass</h2><p class="soft">Every scenario passed.</p></section>`
  }
  return html`<section id="attention"><h2>Other than pass</h2>
<table class="attention"><thead><tr><th scope="col">Outcome</th><th scope="col">Scenario</th><th scope="col">API</th><th scope="col">Why</th></tr></thead>
<tbody>${scenarios.map(attentionRow)}</tbody></table></section>`
}

const attentionRow = (scenario: ScenarioResult): Html => html`
<tr data-outcome="${scenario.outcome}" data-words="${searchWords(scenario)}">
<td>${badge(scenario.outcome, OUTCOME_ROWS[scenario.outcome].word)}</td>
<th scope="row"><a href="#${scenarioAnchor(scenario)}"><code>${scenario.id}</code></a><span class="under">${scenario.title}</span></th>
<td class="num">${scenario.version}</td>
<td class="reason">${received(shortLine(reasonOf(scenario), 280))}</td></tr>`
