import { exemptionOf, STANDING_ROWS, standingOf } from '../diff/standing.ts'
import { cellCommand } from '../red-cells.ts'
import type { CheckResult, Observation, ScenarioResult } from '../result.ts'
import { counted } from '../visible.ts'
import { entryAnchor, requirementAnchor } from './anchor.ts'
import { marked } from './difference.ts'
import { type Html, html, received } from './escape.ts'
import { badge } from './shapes.ts'
import { foldable } from './transcript/body.ts'

/** Longer values are folded, and differences in them are not marked. */
const SHORT_VALUE = 600

/** A link to the transcript entry that a check or an observation refers to. */
const entryLink = (scenario: ScenarioResult, at: number): Html => {
  const { entries, kept } = scenario.transcript
  if (at < 0 || at >= entries) return html`<span class="soft">–</span>`
  if (!kept) return html`<span class="soft">entry&nbsp;${at + 1}</span>`
  return html`<a href="#${entryAnchor(scenario, at)}">entry&nbsp;${at + 1}</a>`
}

const value = (own: string, other: string, ok: boolean): Html => {
  if (own === '') return html`<span class="empty">empty</span>`
  if (own.length > SHORT_VALUE) return foldable('Value', own, received)
  return html`<code>${ok ? received(own) : marked(own, other)}</code>`
}

/** Icon and words for the result of a check. */
export const standingBadge = (check: CheckResult): Html => {
  const { shape, words } = STANDING_ROWS[standingOf(check)]
  return badge(shape, words)
}

const exemption = (check: CheckResult): Html | false => {
  const why = exemptionOf(check)
  return why !== undefined && html`<span class="exemption">${received(why)}</span>`
}

const reading = ({ reading: name }: CheckResult): Html | false =>
  name !== undefined && html`<span class="under">reading: ${received(name)}</span>`

/** The red cell of a matrix, with the command that repeats it alone. */
const cellOf = (scenario: ScenarioResult, { cell, ok }: CheckResult): Html | false =>
  cell !== undefined &&
  !ok &&
  html`<span class="under">cell ${received(cell)}<br><code class="command">${received(cellCommand(scenario, cell))}</code></span>`

const checkRow = (scenario: ScenarioResult, check: CheckResult): Html => html`
<tr class="${standingOf(check)}">
<td class="mark">${standingBadge(check)}</td>
<th scope="row"><span class="what">${received(check.what)}</span>
<a class="req" href="#${requirementAnchor(check.requirement)}">${check.requirement}</a>${exemption(check)}${reading(check)}${cellOf(scenario, check)}</th>
<td data-label="expected">${value(check.expected, check.received, check.ok)}</td>
<td data-label="received">${value(check.received, check.expected, check.ok)}</td>
<td class="at">${entryLink(scenario, check.at)}</td>
</tr>`

/** The checks of a scenario, expected and received in columns. */
export const checksOf = (scenario: ScenarioResult): Html => {
  if (scenario.checks.length === 0) return html`<p class="empty">No check was made.</p>`
  return html`<table class="checks">
<thead><tr><th scope="col">Check</th><th scope="col">What, and its requirement</th>
<th scope="col">Expected</th><th scope="col">Received</th><th scope="col">Entry</th></tr></thead>
<tbody>${scenario.checks.map((check) => checkRow(scenario, check))}</tbody></table>`
}

const observationRow = (scenario: ScenarioResult, seen: Observation): Html => html`
<tr><th scope="row"><span class="what">${received(seen.what)}</span> <span class="req">${seen.key}</span></th>
<td data-label="received">${value(seen.received, seen.received, true)}</td>
<td class="at">${entryLink(scenario, seen.at)}</td></tr>`

/** What was recorded where the interface document is silent; empty without observations. */
export const observationsOf = (scenario: ScenarioResult): Html => {
  const { observations } = scenario
  if (observations.length === 0) return html``
  return html`<section class="observed"><h4>Observations</h4>
<p class="soft">The document is silent here: ${counted(observations.length, 'behaviour')} recorded, never a failure.</p>
<table class="checks"><thead><tr><th scope="col">What</th><th scope="col">Received</th><th scope="col">Entry</th></tr></thead>
<tbody>${observations.map((seen) => observationRow(scenario, seen))}</tbody></table></section>`
}
