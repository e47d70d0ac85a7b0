import { gzipSync } from 'node:zlib'
import type { ScenarioResult } from '../result.ts'
import { counted } from '../visible.ts'
import { scenarioAnchor } from './anchor.ts'
import { type Html, html, ours, textOf } from './escape.ts'
import { transcriptOf } from './transcript.ts'

/** Characters of markup; a page with more than this of passing transcripts would open slowly. */
const ROOM = 3_000_000
/** Characters of markup that lie in one piece: enough to be small together, few enough to be there at once. */
const PIECE = 1_000_000

/** Transcripts for the page: as they are, or for the script to unfold when somebody opens them. */
export interface Transcripts {
  of(scenario: ScenarioResult): Html
  /** What the script unfolds; nothing when everything is in the page as it is. */
  readonly pieces: Html
}

type Markup = readonly [scenario: ScenarioResult, markup: string]

/**
 * Lays out all transcripts. When those of passing scenarios would make the page too heavy they lie in it compressed, and
 * need its script to be read; whatever did not pass is always there to read without.
 */
export function layOutTranscripts(
  scenarios: readonly ScenarioResult[],
  room: number = ROOM,
): Transcripts {
  const passing = scenarios
    .filter(({ outcome, transcript }) => outcome === 'pass' && transcript.length > 0)
    .map((scenario): Markup => [scenario, textOf(transcriptOf(scenario))])
  if (lengthOf(passing) <= room) return { of: transcriptOf, pieces: html`` }
  const pieces = cutInPieces(passing)
  const places = new Map(pieces.flatMap((piece, at) => piece.map(([scenario]) => [scenario, at])))
  return {
    of(scenario) {
      const at = places.get(scenario)
      return at === undefined ? transcriptOf(scenario) : placeholder(scenario, at)
    },
    pieces: html`${pieces.map(compressed)}`,
  }
}

function lengthOf(markups: readonly Markup[]): number {
  return markups.reduce((sum, [, markup]) => sum + markup.length, 0)
}

function cutInPieces(markups: readonly Markup[]): readonly (readonly Markup[])[] {
  const pieces: Markup[][] = []
  let room = 0
  for (const one of markups) {
    if (room <= 0) {
      pieces.push([])
      room = PIECE
    }
    pieces.at(-1)?.push(one)
    room -= one[1].length
  }
  return pieces
}

function placeholder(scenario: ScenarioResult, piece: number): Html {
  return html`<div class="deferred" data-piece="${piece}" data-key="${scenarioAnchor(scenario)}"><p class="soft">
${counted(scenario.transcript.length, 'entry', 'entries')}, compressed in this file: its script unfolds them, and result.json has them as data.</p></div>`
}

/** Base64 and the names of its block are letters of ours, whatever was received. */
function compressed(piece: readonly Markup[], at: number): Html {
  const byKey = Object.fromEntries(
    piece.map(([scenario, markup]) => [scenarioAnchor(scenario), markup]),
  )
  const bytes = gzipSync(JSON.stringify(byKey))
  return html`
<script type="application/gzip" id="piece-${at}">${ours(bytes.toString('base64'))}</script>`
}
