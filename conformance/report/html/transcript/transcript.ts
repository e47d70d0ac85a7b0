import { OUTCOME_ROWS } from '../../outcomes.ts'
import type { CheckResult, RunResult, ScenarioResult } from '../../result.ts'
import { hexRows } from '../../transcripts/hex-rows.ts'
import type { TpmEntry, TranscriptEntry } from '../../transcripts/transcript-entry.ts'
import { counted, duration } from '../../visible.ts'
import { entryAnchor } from '../anchor.ts'
import { standingBadge } from '../checks.ts'
import { type Html, html, received } from '../escape.ts'
import { foldable } from './body.ts'
import { type Lanes, lanesOf } from './lanes.ts'
import { wireHead, wireInside } from './wire.ts'

const hexOf = (name: string, hex: string): Html => {
  if (hex === '') return html`<p class="empty">no ${name} bytes</p>`
  return html`<details class="fold"><summary>${name}, ${counted(hex.length / 2, 'byte')}</summary>
${foldable(`${name} bytes`, hexRows(hex), received)}</details>`
}

/** The line of a TPM command that stays visible when it is folded. */
const tpmHead = (
  entry: TpmEntry,
): Html => html`<span class="summary-text"><b>${received(entry.command)}</b></span>
<span class="answered">${received(entry.response_code)}</span>
<span class="peer">on ${received(entry.machine)}</span>`

/** Decoded fields, then the bytes in folds. */
const tpmInside = (entry: TpmEntry): Html => html`
${entry.detail !== '' && foldable('Decoded', entry.detail, received)}
<div class="halves"><div class="half">${hexOf('Command', entry.command_hex)}</div>
<div class="half">${hexOf('Response', entry.response_hex)}</div></div>`

const checkItem = (check: CheckResult): Html => html`<li>${standingBadge(check)}
<span class="what">${received(check.what)}</span> <span class="req">${check.requirement}</span></li>`

const checkList = (checks: readonly CheckResult[]): Html | false =>
  checks.length > 0 &&
  html`<ul class="entry-checks" aria-label="Checks of this entry">${checks.map(checkItem)}</ul>`

const rail = (
  entry: TranscriptEntry,
  { names, nameOf }: Lanes,
): Html => html`<span class="time">+${duration(entry.at_ms)}</span>
<span class="rail" aria-hidden="true">${names.map((name) => (name === nameOf(entry) ? html`<i class="here"></i>` : html`<i></i>`))}</span>`

const head = (lane: string, index: number): Html => html`<span class="number">${index + 1}</span>
<span class="lane">${lane}</span>`

const content = (entry: TranscriptEntry, lanes: Lanes, index: number, open: boolean): Html => {
  const lane = lanes.nameOf(entry)
  if (entry.lane === 'note') {
    return html`<p class="head note-text">${head(lane, index)}<span class="summary-text">${received(entry.text)}</span></p>`
  }
  const [line, inside] =
    entry.lane === 'wire'
      ? [wireHead(entry), wireInside(entry, lanes.roles)]
      : [tpmHead(entry), tpmInside(entry)]
  return html`<details${open && html` open`}><summary class="head">${head(lane, index)}${line}
<span class="ms">${duration(entry.ms)}</span></summary><div class="inside-entry">${inside}</div></details>`
}

/** Exchanges with a failed check or without a response are opened. */
const needsAttention = (entry: TranscriptEntry, checks: readonly CheckResult[]): boolean =>
  checks.some((check) => !check.ok) || (entry.lane === 'wire' && entry.response === undefined)

const entryOf = (
  scenario: ScenarioResult,
  entry: TranscriptEntry,
  index: number,
  lanes: Lanes,
): Html => {
  const checks = scenario.checks.filter((check) => check.at === index)
  const open = needsAttention(entry, checks)
  return html`
<li class="entry lane-${entry.lane}" id="${entryAnchor(scenario, index)}">${rail(entry, lanes)}<div class="card">
${content(entry, lanes, index, open)}${checkList(checks)}</div></li>`
}

const legend = ({
  names,
}: Lanes): Html => html`<p class="lanes" aria-hidden="true"><span class="time">since start</span>
<span class="rail-names">${names.map((name) => html`<span>${name}</span>`)}</span></p>`

/** Requests by the role that they went to, TPM commands and notes, in order of time. */
export const transcriptOf = (
  scenario: ScenarioResult,
  entries: readonly TranscriptEntry[],
  roles: RunResult['target']['roles'],
): Html => {
  const lanes = lanesOf(scenario, entries, roles)
  return html`<p class="soft">${counted(entries.length, 'entry', 'entries')}.
Open one for headers, bodies and bytes.</p>${legend(lanes)}
<ol class="transcript">${entries.map((entry, index) => entryOf(scenario, entry, index, lanes))}</ol>`
}

/** Why there is no transcript. */
export const noTranscript = ({ outcome, transcript }: ScenarioResult): Html =>
  transcript.entries === 0
    ? html`<p class="empty">No transcript: ${OUTCOME_ROWS[outcome].means}.</p>`
    : html`<p class="empty">${counted(transcript.entries, 'entry was', 'entries were')} recorded and not kept, because the
scenario passed. The command above repeats it and keeps them; <code>--transcripts all</code> keeps them in every run.</p>`
