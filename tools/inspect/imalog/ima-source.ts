import type { Blob } from '../blob.ts'
import { at, readJson, textOf } from '../policy/json-source.ts'
import { findObject, looksLikeJson } from '../quote/quote-source.ts'
import type { Given } from '../read-given.ts'
import { isPlainText, rawBlob, readBlob } from '../text-forms.ts'

export interface ImaSource {
  readonly blob: Blob
  readonly format: 'ascii' | 'binary'
  readonly form: string
  readonly broken: readonly { readonly offset: number; readonly why: string }[]
}

const MEMBERS = ['entries', 'ima_measurement_list'] as const

/** A line of a text list begins with the PCR in decimal; a binary list begins with the low byte of the PCR. */
function looksLikeText(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1')
  return /^\s*\d{1,10}( |$)/.test(start)
}

function formatOf(blob: Blob): ImaSource['format'] {
  return looksLikeText(blob.bytes) || isPlainText(blob.bytes) ? 'ascii' : 'binary'
}

function sourceOf(blob: Blob, form: string, broken: ImaSource['broken'] = []): ImaSource {
  return { blob, format: formatOf(blob), form, broken }
}

/** Reads a list in the JSON of a push PATCH or of verify/evidence: text or base64. */
function readJsonList(bytes: Uint8Array): ImaSource {
  const { root, broken } = readJson(bytes)
  const breaks = broken === undefined ? [] : [broken]
  for (const member of MEMBERS) {
    const holder = findObject(root, (node) => textOf(at(node, member)) !== undefined)
    const text = textOf(at(holder, member))
    if (text === undefined) continue
    const inner = readList(new TextEncoder().encode(text))
    return { ...inner, form: `JSON, ${member} as ${inner.form}`, broken: breaks }
  }
  const why = 'the JSON contains no measurement list (entries, ima_measurement_list)'
  return sourceOf(
    rawBlob(new Uint8Array()),
    'JSON',
    broken === undefined ? [{ offset: 0, why }] : breaks,
  )
}

function readList(bytes: Uint8Array): ImaSource {
  if (looksLikeText(bytes)) return sourceOf(rawBlob(bytes), 'text list')
  const blob = readBlob(bytes)
  return sourceOf(blob, blob.form)
}

/** Reads the IMA list of a file: text or binary, plain or in base64, hexadecimal or JSON. */
export function readImaSource({ bytes }: Given): ImaSource {
  return looksLikeJson(bytes) ? readJsonList(bytes) : readList(bytes)
}
