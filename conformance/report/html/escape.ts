import { seenPieces, visible } from '../visible.ts'

/** A symbol cannot come out of JSON, so nothing that was received can claim to be markup. */
const markup = Symbol('markup')

/** Markup that is safe to put into the page: only `html` and `ours` make it. */
export interface Html {
  readonly [markup]: string
}

/** What may stand in a hole of the template. Strings are escaped; lists are joined; nothing is nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '{': '&#123;',
}

/**
 * Text as HTML, for content and for quoted attributes. Unseen characters are spelled out, and `{{` and `{%` are
 * written as entities so that a template engine that serves the page finds nothing to do.
 */
export const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"'`]|\{(?=[{%])/g, (character) => ENTITIES[character] ?? character)

const isHtml = (part: Part): part is Html =>
  typeof part === 'object' && part !== null && markup in part

const write = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (isHtml(part)) return part[markup]
  if (typeof part === 'object') return part.map(write).join('')
  return escapeHtml(String(part))
}

/** Tagged template for markup: everything in a hole is escaped unless it is `Html` already. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  [markup]: texts.map((text, index) => text + write(parts[index])).join(''),
})

/** Marks text written in this folder (stylesheet, script, drawings) as markup; never call it on received text. */
export const ours = (text: string): Html => ({ [markup]: text })

/** The markup as text, for the file. */
export const textOf = (part: Html): string => part[markup]

/** Our own sentences put names between backticks; the page sets them as code. A lone backtick stays. */
export const sentence = (text: string): Html =>
  html`${text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part))}`

/** Received text for the page: what had to be spelled out is set apart from a backslash that really was sent. */
export const received = (text: string): Html =>
  html`${seenPieces(text).map((piece) =>
    piece.spelled ? html`<span class="ctl">${piece.text}</span>` : piece.text,
  )}`
