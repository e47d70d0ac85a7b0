import { notPassed } from '../outcomes.ts'
import type { RunResult, ScenarioResult } from '../result.ts'
import type { Transcripts } from '../transcripts/transcripts.ts'
import { TRANSCRIPTS_FILE } from '../transcripts/write-transcripts.ts'
import { counted } from '../visible.ts'
import { requirementAnchor, scenarioAnchor } from './anchor.ts'
import { checksOf, observationsOf } from './checks.ts'
import { type Html, html, sentence, textOf } from './escape.ts'
import { compressedNote, PageData } from './page-data.ts'
import { createRegister, type Register } from './register.ts'
import { badge } from './shapes.ts'
import { noTranscript, transcriptOf } from './transcript/transcript.ts'

/** Characters of markup above which passed scenarios are compressed in the page. */
export const LARGEST_PASSED = 300_000
/** Characters of markup above which further transcripts are compressed in the page. */
const LARGEST_TRANSCRIPTS = 1_000_000

/** What the parts of the page share. */
export interface Layout {
  readonly register: Register
  readonly data: PageData
  /** Whether passed scenarios are compressed. */
  readonly compresses: boolean
  /** The details of a scenario; `attributes` are those of the element around them. */
  inside(scenario: ScenarioResult): { readonly attributes: Html; readonly content: Html }
}

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

const insideOf = (register: Register, scenario: ScenarioResult, transcript: Html): Html => html`
${factsOf(register, scenario)}
<h4>Checks</h4>${checksOf(scenario)}
${observationsOf(scenario)}
<h4>Transcript</h4>${transcript}`

type ToTranscript = (scenario: ScenarioResult) => Html

const showTranscripts =
  (transcripts: Transcripts, { roles }: RunResult['target']): ToTranscript =>
  (scenario) => {
    const entries = transcripts.of(scenario)
    return entries.length === 0 ? noTranscript(scenario) : transcriptOf(scenario, entries, roles)
  }

/** Transcripts of scenarios that did not pass: the most urgent ones plain up to the limit, the others compressed. */
const layOutTranscripts = (
  scenarios: readonly ScenarioResult[],
  toTranscript: ToTranscript,
  data: PageData,
): ReadonlyMap<ScenarioResult, Html> => {
  let left = LARGEST_TRANSCRIPTS
  return new Map(
    notPassed(scenarios).map((scenario) => {
      const whole = toTranscript(scenario)
      left -= textOf(whole).length
      if (left >= 0 || !scenario.transcript.kept) return [scenario, whole]
      const note = compressedNote(
        counted(scenario.transcript.entries, 'entry', 'entries'),
        TRANSCRIPTS_FILE,
      )
      return [scenario, html`<div${data.compress('inside', whole)}>${note}</div>`]
    }),
  )
}

/** Decides which markup is plain in the page, and which is compressed. */
export const createLayout = (result: RunResult, transcripts: Transcripts): Layout => {
  const register = createRegister(result)
  const data = new PageData(register.versions)
  const toTranscript = showTranscripts(transcripts, result.target)
  const others = layOutTranscripts(result.scenarios, toTranscript, data)
  const insides = new Map(
    result.scenarios.map((scenario) => {
      const transcript = others.get(scenario) ?? toTranscript(scenario)
      return [scenario, insideOf(register, scenario, transcript)]
    }),
  )
  const passed = result.scenarios.filter(({ outcome }) => outcome === 'pass')
  const compresses =
    passed.reduce((sum, one) => sum + textOf(insides.get(one) ?? html``).length, 0) > LARGEST_PASSED
  return {
    ...{ register, data, compresses },
    inside(scenario) {
      const content = insides.get(scenario) ?? html``
      if (!compresses || scenario.outcome !== 'pass') return { attributes: html``, content }
      const attributes = data.compress('inside', content)
      return { attributes, content: compressedNote('Checks and observations') }
    },
  }
}
