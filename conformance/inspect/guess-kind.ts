import type { Inspection, Kind } from './inspection.ts'
import { looksLikeJson, partOf } from './quote-source.ts'
import { isPlainText, readBlob } from './text-forms.ts'

const KIND_OF = { message: 'attest', signature: 'signature', pcrs: 'pcrs' } as const

const WORDS: Readonly<Record<Kind, string>> = {
  quote: 'a quote',
  attest: 'the statement of a TPM',
  signature: 'a signature',
  pcrs: 'PCR values',
  imalog: 'an IMA list',
  eventlog: 'a firmware log',
  policy: 'a runtime policy',
  ekcert: 'a certificate',
}

const LONGEST_TEMPLATE = 100
const TEMPLATE_AT = 28

function guessText(text: string): Kind | undefined {
  if (text.startsWith('-----BEGIN CERTIFICATE-----')) return 'ekcert'
  if (/^ *\d{1,2} [0-9a-fA-F]{40} \S/.test(text)) return 'imalog'
  if (/^r[A-Za-z0-9+/=]+:/.test(text)) return 'quote'
  return undefined
}

function guessJson(text: string): Kind | undefined {
  if (/"(digests|payload)"/.test(text)) return 'policy'
  return /"(evidence_collected|quote|message)"/.test(text) ? 'quote' : undefined
}

/** A firmware log of 2.0 begins with its specification; one of 1.2 with small numbers and a SHA-1 digest. */
function isFirmwareLog(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(32, 47)).toString('latin1') === 'Spec ID Event03'
}

/** A binary list begins with a small PCR number, a hash, and the counted name of a template. */
function isBinaryList(bytes: Uint8Array): boolean {
  if (bytes.length < TEMPLATE_AT) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const size = view.getUint32(TEMPLATE_AT - 4, true)
  const template = bytes.subarray(TEMPLATE_AT, TEMPLATE_AT + size)
  return view.getUint32(0, true) < 24 && size <= LONGEST_TEMPLATE && isPlainText(template)
}

/** What a file looks like by its first bytes; undefined when like nothing that is known here. */
export function guessKind(bytes: Uint8Array): Kind | undefined {
  const text = Buffer.from(bytes.subarray(0, 4096)).toString('latin1').trimStart()
  if (looksLikeJson(bytes)) return guessJson(text)
  const blob = readBlob(bytes)
  const part = partOf(blob)
  if (isFirmwareLog(blob.bytes)) return 'eventlog'
  if (part !== undefined) return KIND_OF[part]
  return isBinaryList(blob.bytes) ? 'imalog' : guessText(text)
}

const WHOLE: ReadonlySet<Kind> = new Set(['imalog', 'eventlog', 'policy', 'ekcert'])

/** A quote may be given in parts. */
function fits(guess: Kind, kind: Kind): boolean {
  return guess === kind || (kind === 'quote' && !WHOLE.has(guess))
}

/** The inspection, and where it is broken because the file is of another kind, what to type instead. */
export function withHint(one: Inspection, bytes: Uint8Array): Inspection {
  const [first, ...rest] = one.broken
  const guess = first === undefined ? undefined : guessKind(bytes)
  if (first === undefined || guess === undefined || fits(guess, one.kind)) return one
  const why = `${first.why}; the file looks like ${WORDS[guess]}: try assay inspect ${guess}`
  return { ...one, broken: [{ ...first, why }, ...rest] }
}
