import { seenPieces, visible } from '../visible.ts'

/** A symbol cannot be in JSON, so no received value can pass for markup. */
const markup = Symbol('markup')

/** Markup that is safe in the page: only `html` and `ours` make it. */
export interface Html {
  readonly [markup]: string
}

/** An interpolated value. Strings are escaped; lists are joined; undefined, null and false are omitted. */
type Part = Html | string | number | null | undefined | false | readonly Part[]

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
 * Text as HTML, for content and for quoted attributes. Invisible characters are spelled out, and `{{` and `{%` are
 * written as entities, so that no template engine that serves the page interprets them.
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

/** Template tag for markup: interpolated values are escaped unless they are `Html`. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  [markup]: texts.map((text, index) => text + write(parts[index])).join(''),
})

/** Marks text of this folder (stylesheet, script, icons) as markup; never call it with received text. */
export const ours = (text: string): Html => ({ [markup]: text })

/** The markup as text, for the file. */
export const textOf = (part: Html): string => part[markup]

/** A sentence of ours with names between backticks as code. A lone backtick stays. */
export const sentence = (text: string): Html =>
  html`${text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part))}`

/** Received text for the page: spelled-out characters differ visibly from a backslash that was received. */
export const received = (text: string): Html =>
  html`${seenPieces(text).map((piece) =>
    piece.spelled ? html`<span class="ctl">${piece.text}</span>` : piece.text,
  )}`
