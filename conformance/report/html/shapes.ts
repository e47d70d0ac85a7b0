import { OUTCOME_ROWS } from '../outcomes.ts'
import { OUTCOMES, type Outcome } from '../result.ts'
import { type Html, html, ours } from './escape.ts'

/** One drawing per outcome on a 16 by 16 grid, told apart by form and not by colour. */
const DRAWINGS: Readonly<Record<Outcome, string>> = {
  pass: '<path d="M3 8.5l3.4 3.4L13 4.6"/>',
  warn: '<path d="M8 3v6.4M8 12.4v.4"/>',
  observed:
    '<circle cx="8" cy="8" r="2.2"/><path d="M1.8 8c3-5.4 9.4-5.4 12.4 0-3 5.4-9.4 5.4-12.4 0z"/>',
  fail: '<path d="M4 4l8 8M12 4l-8 8"/>',
  hang: '<path d="M4 2.5h8M4 13.5h8M5 2.5c0 3 6 8 6 11M11 2.5c0 3-6 8-6 11"/>',
  blocked: '<path d="M2.8 2.8h10.4v10.4H2.8zM5.4 8h5.2"/>',
  waived:
    '<path d="M2.5 6.2c2-2.6 4-2.6 5.5 0s3.5 2.6 5.5 0M2.5 11c2-2.6 4-2.6 5.5 0s3.5 2.6 5.5 0"/>',
  'not-applicable': '<path d="M3 8h10"/>',
  skipped: '<circle cx="8" cy="8" r="5.4"/><path d="M4.4 11.6l7.2-7.2"/>',
  'harness-fault': '<path d="M8 2.2l6.2 11.3H1.8zM8 6.4v3.4M8 11.6v.4"/>',
}

const symbol = (outcome: Outcome): string =>
  `<symbol id="shape-${outcome}" viewBox="0 0 16 16">${DRAWINGS[outcome]}</symbol>`

/** The drawings, once per page; `shape` refers to them. */
export const shapeSheet = (): Html =>
  ours(`<svg class="sheet" aria-hidden="true">${OUTCOMES.map(symbol).join('')}</svg>`)

/** The drawing of an outcome; always set beside its word. */
export const shape = (outcome: Outcome): Html =>
  html`<svg class="shape" aria-hidden="true"><use href="#shape-${outcome}"/></svg>`

/** Drawing and word of an outcome. */
export const badge = (outcome: Outcome, word: string = OUTCOME_ROWS[outcome].word): Html =>
  html`<span class="badge o-${outcome}">${shape(outcome)}${word}</span>`
