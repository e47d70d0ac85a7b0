import { gzipSync } from 'node:zlib'
import { BY_URGENCY } from '../outcomes.ts'
import type { Outcome } from '../result.ts'
import { type Html, html, ours, textOf } from './escape.ts'

/** Characters of markup in one piece: large enough to compress well, small enough to unfold at once. */
const PIECE = 500_000

/** The note in place of compressed markup: `what` begins the sentence, `file` has the data. */
export const compressedNote = (what: string, file = 'result.json'): Html =>
  html`<p class="soft">${what}, compressed in this page: its script unfolds them, and ${file} has them as data.</p>`

/** The text that the filter searches, for one child of a list. */
export interface Searchable {
  readonly texts: readonly string[]
  readonly outcomes: readonly Outcome[]
  readonly versions: readonly string[]
}

/** Scenarios and rows are compressed apart from the details of scenarios: links only lead to the former. */
type Kind = 'list' | 'inside'

interface Piece {
  readonly number: number
  readonly markups: string[]
  length: number
}

/** Numbers of the texts, then of the outcomes and of the versions. */
type IndexItem = readonly [
  texts: readonly number[],
  outcomes: readonly number[],
  versions: readonly number[],
]

/**
 * The data of the page's script: compressed markup, and the index of the filter with every item of every list, plain
 * or compressed.
 */
export class PageData {
  readonly #pieces: Piece[] = []
  /** Pieces that are not full. */
  readonly #open = new Map<Kind, Piece>()
  readonly #lists: (readonly IndexItem[])[] = []
  readonly #texts = new Map<string, number>()
  readonly #versions: readonly string[]

  constructor(versions: readonly string[]) {
    this.#versions = versions
  }

  /** The attribute of a list whose children the filter shows and hides; `items` are in the order of the children. */
  list(items: readonly Searchable[]): Html {
    const number = this.#lists.push(items.map((item) => this.#itemOf(item))) - 1
    return html` data-list="${number}"`
  }

  /** Stores markup compressed, and returns the attributes of the element that it belongs in. */
  compress(kind: Kind, markup: Html): Html {
    const text = textOf(markup)
    const piece = this.#open.get(kind) ?? this.#begin(kind)
    const key = piece.markups.push(text) - 1
    piece.length += text.length
    if (piece.length > PIECE) this.#open.delete(kind)
    return html` data-piece="${piece.number}" data-key="${key}"`
  }

  /** The elements with the stored data; call this last. */
  elements(): Html {
    const index = {
      outcomes: BY_URGENCY,
      versions: this.#versions,
      texts: [...this.#texts.keys()],
      lists: this.#lists,
    }
    const pieces = this.#pieces.map(({ number, markups }) => packed(String(number), markups))
    return html`${pieces}${pieces.length === 0 ? plain('index', index) : packed('index', index)}`
  }

  #begin(kind: Kind): Piece {
    const piece = { number: this.#pieces.length, markups: [], length: 0 }
    this.#pieces.push(piece)
    this.#open.set(kind, piece)
    return piece
  }

  #itemOf({ texts, outcomes, versions }: Searchable): IndexItem {
    return [
      texts.map((text) => this.#numberOf(text.toLowerCase())),
      [...new Set(outcomes)].map((outcome) => BY_URGENCY.indexOf(outcome)),
      versions.map((version) => this.#versions.indexOf(version)),
    ]
  }

  #numberOf(text: string): number {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const number = this.#texts.size
    this.#texts.set(text, number)
    return number
  }
}

/** JSON in ASCII without characters that end the element or start a template expression. */
function plain(name: string, value: unknown): Html {
  const json = JSON.stringify(value).replace(
    /[<>&]|\{(?=[{%])|[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return html`
<script type="application/json" id="piece-${name}">${ours(json)}</script>`
}

/** Base64, so that received text cannot occur in the page. */
function packed(name: string, value: unknown): Html {
  const base64 = gzipSync(JSON.stringify(value)).toString('base64')
  return html`
<script type="application/gzip" id="piece-${name}">${ours(base64)}</script>`
}
