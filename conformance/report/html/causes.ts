import { causeHead, causesTitle } from '../present-causes.ts'
import type { Cause, RunOf, RunResult, ScenarioResult } from '../result.ts'
import { counted, shortLine, thousands } from '../visible.ts'
import { requirementAnchor, scenarioAnchor } from './anchor.ts'
import { type Html, html, received } from './escape.ts'
import type { Register } from './register.ts'

/** Longer sentences are cut; the scenarios have the complete values. */
const LONGEST = 600

/** Links of a cause; further scenarios are in the list below, and in result.json. */
const MOST_LINKS = 200

const nameOf = ({ id, version }: RunOf): Html => html`<code>${id}</code> ${version}`

const linkTo = (scenario: ScenarioResult | undefined, run: RunOf): Html =>
  scenario === undefined
    ? nameOf(run)
    : html`<a href="#${scenarioAnchor(scenario)}">${nameOf(run)}</a>`

const linksOf = (register: Register, words: string, runs: readonly RunOf[]): Html | false => {
  if (runs.length === 0) return false
  const left = runs.length - MOST_LINKS
  return html`<details><summary>${counted(runs.length, words)}</summary>
<ul class="plain runs">${runs
    .slice(0, MOST_LINKS)
    .map((run) => html`<li>${linkTo(register.scenario(run.id, run.version), run)}</li>`)}</ul>
${left > 0 && html`<p class="soft">and ${thousands(left)} more; result.json has all.</p>`}</details>`
}

const causeRow = (register: Register, cause: Cause): Html => {
  const { says, requirement, first, failed, blocked } = cause
  return html`
<tr><td class="num">${thousands(failed.length)}</td>
<th scope="row">${causeHead(cause)}: <span class="what">${received(shortLine(says, LONGEST))}</span>
${requirement !== undefined && register.requirement(requirement) !== undefined && html`<a class="req" href="#${requirementAnchor(requirement)}">${requirement}</a>`}
${failed.length > 1 && linksOf(register, 'scenario', failed)}${linksOf(register, 'blocked scenario', blocked)}</th>
<td>${linkTo(register.scenario(first.id, first.version), first)}
${first.at !== undefined && html`<span class="under"><time>${first.at}</time></span>`}</td></tr>`
}

/** The causes of the failures, first in time first; nothing without a failure. */
export const causesOf = (register: Register, result: RunResult): Html | false => {
  const title = causesTitle(result)
  if (title === undefined) return false
  return html`<section id="causes"><h2>${title}</h2>
<p class="soft">Failures with the same requirement, step or check, and values have one cause. First in time first.</p>
<table class="attention causes"><thead><tr><th scope="col">Fail</th><th scope="col">Cause</th><th scope="col">First failure</th></tr></thead>
<tbody>${result.causes.map((cause) => causeRow(register, cause))}</tbody></table></section>`
}
