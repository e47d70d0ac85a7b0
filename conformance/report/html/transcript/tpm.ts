import type { TpmEntry } from '../../result.ts'
import { hexRows } from '../../transcripts/hex-rows.ts'
import { counted } from '../../visible.ts'
import { type Html, html, received } from '../escape.ts'
import { foldable } from './body.ts'

const hexOf = (name: string, hex: string): Html => {
  if (hex === '') return html`<p class="empty">no ${name} bytes</p>`
  return html`<details class="fold"><summary>${name}, ${counted(hex.length / 2, 'byte')}</summary>
${foldable(`${name} bytes`, hexRows(hex), received)}</details>`
}

/** The line of a TPM command that stays visible when it is folded. */
export const tpmHead = (
  entry: TpmEntry,
): Html => html`<span class="summary-text"><b>${received(entry.command)}</b></span>
<span class="answered">${received(entry.response_code)}</span>
<span class="peer">on ${received(entry.machine)}</span>`

/** Decoded fields, then the bytes in folds. */
export const tpmInside = (entry: TpmEntry): Html => html`
${entry.detail !== '' && foldable('Decoded', entry.detail, received)}
<div class="halves"><div class="half">${hexOf('Command', entry.command_hex)}</div>
<div class="half">${hexOf('Response', entry.response_hex)}</div></div>`
