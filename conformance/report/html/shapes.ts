import { OUTCOME_ROWS } from '../outcomes.ts'
import { OUTCOMES, type Outcome } from '../result.ts'
import { type Html, html, ours } from './escape.ts'

/** One icon per outcome on a 16 by 16 grid, distinguishable by shape without colour. */
const DRAWINGS: Readonly<Record<Outcome, string>> = {
  pass: '<path d="M3 8.5l3.4 3.4L13 4.6"/>',
  warn: '<path d="M8 1.6l6.4 6.4L8 14.4 1.6 8zM8 5.3v3.3M8 10.8v.2"/>',
  observed:
    '<path d="M1.2 8c3.2-5.6 10.4-5.6 13.6 0-3.2 5.6-10.4 5.6-13.6 0z"/><circle cx="8" cy="8" r="1.4"/>',
  fail: '<path d="M4 4l8 8M12 4l-8 8"/>',
  hang: '<path d="M4 2.5h8M4 13.5h8M5 2.5c0 3 6 8 6 11M11 2.5c0 3-6 8-6 11"/>',
  blocked: '<path d="M2.8 2.8h10.4v10.4H2.8zM5.4 8h5.2"/>',
  waived: '<path d="M4 14.2V2.4h9.2l-2.6 3.3 2.6 3.3H4"/>',
  'not-applicable': '<path d="M3 8h10"/>',
  skipped: '<circle cx="8" cy="8" r="5.4"/><path d="M4.4 11.6l7.2-7.2"/>',
  'harness-fault': '<path d="M8 2.2l6.2 11.3H1.8zM8 6.4v3.4M8 11.6v.4"/>',
}

const symbol = (outcome: Outcome): string =>
  `<symbol id="shape-${outcome}" viewBox="0 0 16 16">${DRAWINGS[outcome]}</symbol>`

/** The icons, once per page; `shape` refers to them. */
export const shapeSheet = (): Html =>
  ours(`<svg class="sheet" aria-hidden="true">${OUTCOMES.map(symbol).join('')}</svg>`)

/** The icon of an outcome; always next to its word. */
export const shape = (outcome: Outcome): Html =>
  html`<svg class="shape" aria-hidden="true"><use href="#shape-${outcome}"/></svg>`

/** Icon and word of an outcome. */
export const badge = (outcome: Outcome, word: string = OUTCOME_ROWS[outcome].word): Html =>
  html`<span class="badge o-${outcome}">${shape(outcome)}${word}</span>`
