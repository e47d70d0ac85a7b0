import type { TpmEntry } from '../result.ts'
import { counted } from '../visible.ts'
import { foldable } from './body.ts'
import { type Html, html, received } from './escape.ts'

const BYTES_PER_ROW = 16

/** Hex as rows of 16 bytes with the offset of the first, e.g. `0010  80 02 …`. */
export const hexRows = (hex: string): string => {
  const bytes = hex.match(/../g) ?? []
  const rows: string[] = []
  for (let at = 0; at < bytes.length; at += BYTES_PER_ROW) {
    const offset = at.toString(16).padStart(4, '0')
    rows.push(`${offset}  ${bytes.slice(at, at + BYTES_PER_ROW).join(' ')}`)
  }
  return rows.join('\n')
}

const hexOf = (name: string, hex: string): Html => {
  if (hex === '') return html`<p class="empty">no ${name} bytes</p>`
  return html`<details class="fold"><summary>${name}, ${counted(hex.length / 2, 'byte')}</summary>
${foldable(`${name} bytes`, hexRows(hex), received)}</details>`
}

/** The line of a TPM command that stays visible when it is folded. */
export const tpmHead = (
  entry: TpmEntry,
): Html => html`<span class="said"><b>${received(entry.command)}</b></span>
<span class="answered">${received(entry.response_code)}</span>
<span class="speaker">on ${received(entry.machine)}</span>`

/** Decoded detail, then the bytes in folds. */
export const tpmInside = (entry: TpmEntry): Html => html`
${entry.detail !== '' && foldable('Decoded', entry.detail, received)}
<div class="halves"><div class="half">${hexOf('Command', entry.command_hex)}</div>
<div class="half">${hexOf('Response', entry.response_hex)}</div></div>`
