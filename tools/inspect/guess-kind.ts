import type { Inspection, Kind } from './inspection.ts'
import { looksLikeJson, partOf } from './quote/quote-source.ts'
import { isPlainText, readBlob } from './text-forms.ts'

const KIND_OF = { message: 'attest', signature: 'signature', pcrs: 'pcrs' } as const

const WORDS: Readonly<Record<Kind, string>> = {
  quote: 'a quote',
  attest: 'a TPMS_ATTEST',
  signature: 'a signature',
  pcrs: 'PCR values',
  imalog: 'an IMA measurement list',
  eventlog: 'a firmware event log',
  policy: 'a policy',
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
  if (/"(digests|payload|scrtm_and_bios|has_secureboot)"/.test(text)) return 'policy'
  return /"(evidence_collected|quote|message)"/.test(text) ? 'quote' : undefined
}

/** A firmware event log of TCG 2.0 begins with the signature of its header. */
function isFirmwareLog(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(32, 47)).toString('latin1') === 'Spec ID Event03'
}

/** A binary IMA list begins with a PCR number, a SHA-1 digest, and the length and name of a template. */
function isBinaryList(bytes: Uint8Array): boolean {
  if (bytes.length < TEMPLATE_AT) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const size = view.getUint32(TEMPLATE_AT - 4, true)
  const template = bytes.subarray(TEMPLATE_AT, TEMPLATE_AT + size)
  return view.getUint32(0, true) < 24 && size <= LONGEST_TEMPLATE && isPlainText(template)
}

/** Guesses the kind of a file from its first bytes; undefined if they are unknown. */
function guessKind(bytes: Uint8Array): Kind | undefined {
  const text = Buffer.from(bytes.subarray(0, 4096)).toString('latin1').trimStart()
  if (looksLikeJson(bytes)) return guessJson(text)
  const blob = readBlob(bytes)
  const part = partOf(blob)
  if (isFirmwareLog(blob.bytes)) return 'eventlog'
  if (part !== undefined) return KIND_OF[part]
  return isBinaryList(blob.bytes) ? 'imalog' : guessText(text)
}

const UTF_16 = 'is text in UTF-16: convert it first, for example with iconv -f UTF-16 -t UTF-8'

/** Unsupported encodings of files: the first bytes in hexadecimal, and what to do. */
const WRAPPED: readonly (readonly [begins: string, says: string])[] = [
  ['1f8b', 'is compressed with gzip: decompress it first with gzip -dc'],
  ['fd377a585a00', 'is compressed with xz: decompress it first with xz -dc'],
  ['28b52ffd', 'is compressed with zstd: decompress it first with zstd -dc'],
  ['425a68', 'is compressed with bzip2: decompress it first with bzip2 -dc'],
  ['fffe', UTF_16],
  ['feff', UTF_16],
]

const OTHER_PEM = /-----BEGIN (?!CERTIFICATE-)([A-Z0-9 ]{1,40})-----/

function wrappingOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 4096))
  const wrapped = WRAPPED.find(([begins]) => start.toString('hex').startsWith(begins))
  const label = OTHER_PEM.exec(start.toString('latin1'))?.[1]
  return wrapped?.[1] ?? (label === undefined ? undefined : `is a ${label} in PEM`)
}

const WHOLE: ReadonlySet<Kind> = new Set(['imalog', 'eventlog', 'policy', 'ekcert'])

/** Parts of a quote are valid input for the kind `quote`. */
function fits(guess: Kind, kind: Kind): boolean {
  return guess === kind || (kind === 'quote' && !WHOLE.has(guess))
}

function hintFor(kind: Kind, bytes: Uint8Array): string | undefined {
  const wrapping = wrappingOf(bytes)
  if (wrapping !== undefined) return wrapping
  const guess = guessKind(bytes)
  if (guess === undefined || fits(guess, kind)) return undefined
  return `looks like ${WORDS[guess]}: try assay inspect ${guess}`
}

/** Adds a hint to the first decoding error if the file looks like another kind. */
export function withHint(one: Inspection, bytes: Uint8Array): Inspection {
  const [first, ...rest] = one.broken
  const hint = first === undefined ? undefined : hintFor(one.kind, bytes)
  if (first === undefined || hint === undefined) return one
  return { ...one, broken: [{ ...first, why: `${first.why}; the file ${hint}` }, ...rest] }
}
