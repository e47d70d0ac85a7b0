import { STANDING_ROWS, type Standing } from '../diff/standing.ts'
import { BY_URGENCY, OUTCOME_ROWS, shownOutcomes, sumOf } from '../outcomes.ts'
import { cellName, redCells } from '../red-cells.ts'
import type { Outcome, RunResult, Verdict } from '../result.ts'
import { counted, duration, thousands } from '../visible.ts'
import { scenarioAnchor } from './anchor.ts'
import { type Html, html, received } from './escape.ts'
import { badge, shape } from './shapes.ts'

const VERDICT_SHAPES: Readonly<Record<Verdict, Outcome>> = {
  conforms: 'pass',
  'part passed': 'warn',
  'matches the baseline': 'waived',
  'does not conform': 'fail',
  'no verdict': 'harness-fault',
}

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  conforms: 'Conforms',
  'part passed': 'A part passed',
  'matches the baseline': 'Matches the baseline',
  'does not conform': 'Does not conform',
  'no verdict': 'No verdict',
}

const total = (result: RunResult): number => result.scenarios.length

const lead = (result: RunResult): string => {
  const warned = result.totals.warn
  const versions = result.target.versions.join(', ')
  const passed = `${sumOf(result.totals, 'passed')} of ${counted(total(result), 'scenario')} passed`
  const warnings = warned === 0 ? '' : `, ${warned} of them with a warning,`
  return `${passed}${warnings} under API ${versions || 'no version'}.`
}

/** The complaints about the run, next to the verdict that they affect. */
const complaintsOf = ({ complaints }: RunResult): Html | false =>
  complaints.length > 0 &&
  html`<section class="complaints" aria-label="Complaints about the run"><h2>${counted(complaints.length, 'complaint')} about the run</h2>
<ul>${complaints.map((complaint) => html`<li>${received(complaint)}</li>`)}</ul></section>`

/** What the verdict covers, and why there is none on the verifier. */
const scopeOf = ({ scope }: RunResult): Html | false =>
  scope !== undefined &&
  html`<p class="lead scope">${scope.text}${scope.narrowed.length > 0 && html`, selected with ${scope.narrowed.join(', ')}`}.</p>
${scope.missing.map((sentence) => html`<p class="lead missing">${sentence}.</p>`)}`

const certificateOf = ({ certification }: RunResult): Html => {
  const { possible, covers } = certification
  if (possible) return html`possible${covers !== undefined && html` for ${covers}`}`
  return html`not possible:<ul class="reasons">${certification.because.map((why) => html`<li>${received(why)}</li>`)}</ul>`
}

/** Bars are svg: the page needs no style attribute, and its policy can forbid them. */
const proportions = (result: RunResult): Html => {
  let from = 0
  const bars = BY_URGENCY.toReversed().map((outcome) => {
    const width = (result.totals[outcome] / Math.max(1, total(result))) * 1000
    const bar = html`<rect class="o-${outcome}" x="${from.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="8"/>`
    from += width
    return width > 0 && bar
  })
  return html`<svg class="proportions" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`
}

const totalItem = (result: RunResult, outcome: Outcome): Html => {
  const count = result.totals[outcome]
  return html`<li${count === 0 && html` class="zero"`}><b class="num">${count}</b>${badge(outcome)}</li>`
}

const totalsOf = (result: RunResult): Html => {
  const shown = shownOutcomes(result)
  const ordered = BY_URGENCY.toReversed().filter((outcome) => shown.includes(outcome))
  return html`<ul class="totals">${ordered.map((outcome) => totalItem(result, outcome))}</ul>`
}

const roles = (result: RunResult): Html =>
  html`<ul class="plain">${result.target.roles.map(
    ({ role, url }) =>
      html`<li>${role} ${url === undefined ? 'started by scenarios' : html`<code>${received(url)}</code>`}</li>`,
  )}</ul>`

/** Executed cells of each matrix, and the red ones by name. */
const matricesOf = (result: RunResult): Html => {
  const red = redCells(result)
  return html`<ul class="plain">${result.matrices.map(
    (one) =>
      html`<li>${one.name}: ${thousands(one.executed)} of ${thousands(one.defined)} cells executed, ${counted(one.red.length, 'red cell')}</li>`,
  )}</ul>${
    red.length > 0 &&
    html`<details><summary>${counted(red.length, 'red cell')}</summary><ul class="plain">${red.map(
      ({ scenario, cell }) =>
        html`<li><a href="#${scenarioAnchor(scenario)}"><code>${received(cellName(scenario.id, cell))}</code></a></li>`,
    )}</ul></details>`
  }`
}

/** The baseline, and how many scenarios failed as it expects. */
const baselineOf = ({ baseline, scenarios }: RunResult): readonly (readonly [string, Html])[] => {
  if (baseline === undefined) return []
  const failed = scenarios.filter(({ expected }) => expected !== undefined).length
  const counts = `${counted(baseline.entries.length, 'expected failure')}, ${counted(failed, 'scenario')} waived for them`
  return [['Baseline', html`<code>${received(baseline.file)}</code>: ${counts}`]]
}

const factsOf = (result: RunResult): readonly (readonly [string, Html | string])[] => {
  const took = Date.parse(result.finished_at) - Date.parse(result.started_at)
  return [
    ['Target', html`${result.target.name}, <code>${result.target.file}</code>`],
    ['Certificate', certificateOf(result)],
    ...baselineOf(result),
    ['Roles', roles(result)],
    ['API versions', result.target.versions.join(', ')],
    ['Dialect', result.target.dialect],
    ...(result.matrices.length === 0 ? [] : [['Matrices', matricesOf(result)] as const]),
    ['Seed', html`<code>${result.seed}</code>`],
    ['Interface document', html`sha256 <code class="digest">${result.interface_sha256}</code>`],
    ['Started', html`<time>${result.started_at}</time>`],
    ['Finished', html`<time>${result.finished_at}</time>, after ${duration(took)}`],
    [
      'Assay',
      `${result.assay_version}, exit code ${result.exit_code}, result format ${result.schema}`,
    ],
  ]
}

/** Verdict and totals. */
export const headerOf = (result: RunResult): Html => {
  const kind = VERDICT_SHAPES[result.verdict]
  return html`<header>
<p class="kind">Assay conformance report</p>
<h1>${result.target.name}</h1>
<p class="verdict o-${kind}">${shape(kind)}${VERDICT_WORDS[result.verdict]}</p>
${scopeOf(result)}
<p class="lead">${lead(result)}</p>
${complaintsOf(result)}
${proportions(result)}
${totalsOf(result)}
</header>`
}

/** What was run, against what, when and by which Assay. */
export const factsSection = (result: RunResult): Html => html`<section id="facts"><h2>Run</h2>
<dl class="facts">${factsOf(result).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`

/** The checks that Assay made before the first scenario. */
export const setupSection = (result: RunResult): Html => html`<section id="setup"><h2>Setup</h2>
<p class="soft">Checked before the first scenario.</p>
<table class="setup"><thead><tr><th scope="col">State</th><th scope="col">What</th><th scope="col">Found</th><th scope="col" class="api">Time</th></tr></thead><tbody>
${result.setup.map(
  (step) =>
    html`<tr><td>${badge(step.ok ? 'pass' : 'fail', step.ok ? 'ok' : 'failed')}</td><th scope="row">${step.what}</th><td>${received(step.detail)}</td><td class="num ms">${duration(step.ms)}</td></tr>`,
)}</tbody></table></section>`

const CHECK_MEANS: Readonly<Record<Standing, string>> = {
  held: 'the received value meets the requirement',
  broke: 'the received value does not meet a fixed requirement: the scenario fails',
  excused:
    'the received value does not meet the requirement, and a waiver, the deviation profile or the baseline gives the reason',
  warned:
    'the received value does not meet the requirement, and the document has two readings or is silent: recorded, never a failure',
}

const CHECK_ORDER: readonly Standing[] = ['held', 'broke', 'excused', 'warned']

const checkMeaning = (standing: Standing): Html => {
  const { shape: drawing, words } = STANDING_ROWS[standing]
  return html`<div><dt>${badge(drawing, words)}</dt><dd>${CHECK_MEANS[standing]}</dd></div>`
}

const outcomeMeaning = (outcome: Outcome): Html =>
  html`<div><dt>${badge(outcome)}</dt><dd>${OUTCOME_ROWS[outcome].means}</dd></div>`

/** Explanations of the terms in the report. */
export const legendSection = (): Html => html`<section id="legend"><h2>How to read this</h2>
<h3>A scenario</h3><dl class="legend">${BY_URGENCY.toReversed().map(outcomeMeaning)}</dl>
<h3>A check</h3><dl class="legend">${CHECK_ORDER.map(checkMeaning)}</dl>
<h3>The run</h3>
<p>The run conforms if at least one scenario passed, none failed, hung or was blocked, and there is no complaint about the run as
a whole, such as a waiver of a check that holds. The line below the verdict says what it covers. A part that was selected by an
option never conforms, nor does a run with a baseline of expected failures, and a verifier only if its checks of quotes ran: signature, nonce, PCR values. A certificate also requires a complete run, no waiver or deviation profile, and
time limits within the certification maximum.</p>
<p>A refusal counts only if the passing twin, which differs in one place, passed in the same run, possibly
with a warning or an excuse. A requirement is
not executed if no check of this run covers it, which is not a pass. Invisible characters are spelled out
and <span class="ctl">marked</span>. Tokens, keys and host paths were redacted before recording.</p></section>`
