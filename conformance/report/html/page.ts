import { BY_URGENCY, notPassed, OUTCOME_ROWS } from '../outcomes.ts'
import type { RunResult } from '../result.ts'
import type { Transcripts } from '../transcripts/transcripts.ts'
import { causesOf } from './causes.ts'
import { type Html, html, ours, textOf } from './escape.ts'
import { factsSection, headerOf, legendSection, setupSection } from './header.ts'
import { createLayout } from './layout.ts'
import { matrixSection } from './matrix.ts'
import { overviewSection } from './overview.ts'
import { type Assets, headOf, readOwn } from './page-head.ts'
import { requirementsSection } from './requirements/requirements.ts'
import { attentionSection, scenariosSection } from './scenario.ts'
import { badge, shapeSheet } from './shapes.ts'
import { hangingIndents } from './transcript/body.ts'

const readAssets = (): Required<Assets> => ({
  style: `${readOwn('page.css')}${hangingIndents()}`,
  script: readOwn('page.js'),
})

const SECTIONS = [
  'overview',
  'attention',
  'facts',
  'matrix',
  'requirements',
  'scenarios',
  'setup',
  'legend',
] as const

const SECTION_WORDS: Readonly<Record<(typeof SECTIONS)[number], string>> = {
  overview: 'Overview',
  attention: 'Other than pass',
  facts: 'Run',
  matrix: 'Matrix',
  requirements: 'Requirements',
  scenarios: 'Scenarios',
  setup: 'Setup',
  legend: 'How to read this',
}

const outcomeBox = (outcome: (typeof BY_URGENCY)[number]): Html =>
  html`<label><input type="checkbox" value="${outcome}">${badge(outcome, OUTCOME_ROWS[outcome].short)}</label>`

const tools = (result: RunResult): Html => html`<form class="tools" hidden>
<input type="search" placeholder="Filter by id, title or requirement" aria-label="Filter scenarios and requirements">
<span class="boxes" role="group" aria-label="Show only">${BY_URGENCY.filter((one) => result.totals[one] > 0).map(outcomeBox)}</span>
<button type="button" data-open>Open all</button><button type="button" data-close>Close all</button></form>`

const navigation = (result: RunResult): Html => html`<nav aria-label="Sections"><ul>
${result.causes.length > 0 && html`<li><a href="#causes">Causes</a></li>`}${SECTIONS.map((name) => html`<li><a href="#${name}">${SECTION_WORDS[name]}</a></li>`)}</ul>${tools(result)}</nav>`

/** A note for readers without script. */
const unscripted = (compresses: boolean): Html | false =>
  compresses &&
  html`<noscript><p class="unscripted">Without its script this page shows every scenario that did not pass. Passed scenarios are compressed in it;
result.json has its checks and observations.</p></noscript>`

const body = (whole: RunResult, transcripts: Transcripts, { script }: Required<Assets>): Html => {
  const result = { ...whole, scenarios: whole.scenarios.filter(({ unfinished }) => !unfinished) }
  const layout = createLayout(result, transcripts)
  const { data } = layout
  return html`<body>${shapeSheet()}<div class="page">
${headerOf(whole)}
${unscripted(layout.compresses)}
${navigation(result)}
<main>
${overviewSection(layout, result.requirements)}
${causesOf(layout.register, result)}
${attentionSection(data, notPassed(result.scenarios))}
${factsSection(result)}
${matrixSection(layout)}
${requirementsSection(layout, result.requirements)}
${scenariosSection(layout)}
${setupSection(result)}
${legendSection()}
</main></div>${data.elements()}
<script>${ours(script)}</script></body>`
}

/**
 * The text of `report.html`: one self-contained file that works offline and in which all received data is text.
 * Scenarios that did not pass are readable without script; passed ones are compressed if the run is large.
 */
export const pageOf = (result: RunResult, transcripts: Transcripts): string => {
  const assets = readAssets()
  return textOf(html`<!doctype html>
<html lang="en">${headOf(`${result.target.name}: ${result.verdict} (Assay)`, result.assay_version, assets)}
${body(result, transcripts, assets)}</html>
`)
}
