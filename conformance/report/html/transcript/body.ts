import { attestationsIn } from '../../transcripts/attestations-in.ts'
import { prettyJson } from '../../transcripts/pretty-json.ts'
import { counted } from '../../visible.ts'
import { type Html, html, received } from '../escape.ts'

/** Longer text is folded. */
const FOLD = 1_600

/** A member name at the start of a line of formatted JSON. */
const NAME = /^(\s*)("(?:[^"\\]|\\.)*")(?=: )/

/** Deeper lines wrap like those of this depth. */
const DEEPEST_INDENT = 24

/** Style rules of the lines of JSON, a class per depth: what wraps is indented by two more characters. */
export const hangingIndents = (): string =>
  Array.from({ length: DEEPEST_INDENT + 1 }, (_, depth) => {
    const letters = depth * 2 + 2
    return `.i${depth} { padding-left: ${letters}ch; text-indent: -${letters}ch; }\n`
  }).join('')

const jsonLine = (line: string): Html => {
  const [whole = '', indent = '', name] = NAME.exec(line) ?? []
  if (name === undefined) return received(line)
  return html`${indent}<span class="name">${received(name)}</span>${received(line.slice(whole.length))}`
}

/** Lines are blocks, so that a long value wraps inside its own indentation. */
const jsonLines = (text: string): Html =>
  html`${text.split('\n').map((line) => {
    const depth = Math.min(DEEPEST_INDENT, (line.length - line.trimStart().length) / 2)
    return html`<span class="line i${depth}">${jsonLine(line)}</span>`
  })}`

const scroll = (content: Html, name: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${name}">${content}</pre>`

/** Text; folded, with its length, if it is long. */
export const foldable = (name: string, text: string, show: (text: string) => Html): Html => {
  const whole = scroll(show(text), name)
  if (text.length <= FOLD) return whole
  return html`<details class="fold"><summary>${name}, ${counted(text.length, 'character')}</summary>${whole}</details>`
}

/** A received body, formatted if it is JSON, with the attestations in it in words. */
export const bodyOf = (body: string | undefined): Html => {
  if (body === undefined || body === '') return html`<p class="empty">no body</p>`
  const pretty = prettyJson(body)
  if (pretty === undefined) return foldable('Text body', body, received)
  const attestations = attestationsIn(body).map(
    (one) => html`<p class="decoded">${received(one)}</p>`,
  )
  return html`${foldable('JSON body', pretty, jsonLines)}${attestations}`
}
