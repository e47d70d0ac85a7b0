import { OUTCOME_ROWS } from '../../outcomes.ts'
import type { CheckResult, ScenarioResult } from '../../result.ts'
import { hexRows } from '../../transcripts/hex-rows.ts'
import type { TpmEntry, TranscriptEntry } from '../../transcripts/transcript-entry.ts'
import { counted, duration } from '../../visible.ts'
import { entryAnchor } from '../anchor.ts'
import { standingBadge } from '../checks.ts'
import { type Html, html, received } from '../escape.ts'
import { foldable } from './body.ts'
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

const LANES = { wire: 'wire', tpm: 'TPM', note: 'note' } as const

const checkItem = (check: CheckResult): Html => html`<li>${standingBadge(check)}
<span class="what">${received(check.what)}</span> <span class="req">${check.requirement}</span></li>`

const checkList = (checks: readonly CheckResult[]): Html | false =>
  checks.length > 0 &&
  html`<ul class="entry-checks" aria-label="Checks of this entry">${checks.map(checkItem)}</ul>`

const rail = (
  entry: TranscriptEntry,
): Html => html`<span class="time">+${duration(entry.at_ms)}</span>
<span class="rail" aria-hidden="true"><i></i><i></i><i></i></span>`

const head = (
  entry: TranscriptEntry,
  index: number,
): Html => html`<span class="number">${index + 1}</span>
<span class="lane">${LANES[entry.lane]}</span>`

const content = (entry: TranscriptEntry, index: number, open: boolean): Html => {
  if (entry.lane === 'note') {
    return html`<p class="head note-text">${head(entry, index)}<span class="summary-text">${received(entry.text)}</span></p>`
  }
  const [line, inside] =
    entry.lane === 'wire'
      ? [wireHead(entry), wireInside(entry)]
      : [tpmHead(entry), tpmInside(entry)]
  return html`<details${open && html` open`}><summary class="head">${head(entry, index)}${line}
<span class="ms">${duration(entry.ms)}</span></summary><div class="inside-entry">${inside}</div></details>`
}

/** Exchanges with a failed check or without a response are opened. */
const needsAttention = (entry: TranscriptEntry, checks: readonly CheckResult[]): boolean =>
  checks.some((check) => !check.ok) || (entry.lane === 'wire' && entry.response === undefined)

const entryOf = (scenario: ScenarioResult, entry: TranscriptEntry, index: number): Html => {
  const checks = scenario.checks.filter((check) => check.at === index)
  return html`
<li class="entry lane-${entry.lane}" id="${entryAnchor(scenario, index)}">${rail(entry)}<div class="card">
${content(entry, index, needsAttention(entry, checks))}${checkList(checks)}</div></li>`
}

const lanesLegend =
  (): Html => html`<p class="lanes" aria-hidden="true"><span class="time">since start</span>
<span class="rail-names"><span>wire</span><span>TPM</span><span>note</span></span></p>`

/** Requests, replies, TPM commands and notes, in order of time. */
export const transcriptOf = (
  scenario: ScenarioResult,
  entries: readonly TranscriptEntry[],
): Html => html`<p class="soft">${counted(entries.length, 'entry', 'entries')}.
Open one for headers, bodies and bytes.</p>${lanesLegend()}
<ol class="transcript">${entries.map((entry, index) => entryOf(scenario, entry, index))}</ol>`

/** Why there is no transcript. */
export const noTranscript = ({ outcome, transcript }: ScenarioResult): Html =>
  transcript.entries === 0
    ? html`<p class="empty">No transcript: ${OUTCOME_ROWS[outcome].means}.</p>`
    : html`<p class="empty">${counted(transcript.entries, 'entry was', 'entries were')} recorded and not kept, because the
scenario passed. The command above repeats it and keeps them; <code>--transcripts all</code> keeps them in every run.</p>`
