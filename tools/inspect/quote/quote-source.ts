import type { Blob } from '../blob.ts'
import { at, type JsonNode, readJson, textOf } from '../policy/json-source.ts'
import type { Given } from '../read-given.ts'
import { inflated, isPlainText, readBase64, readBlob } from '../text-forms.ts'

export type QuotePart = 'message' | 'signature' | 'pcrs'

/** PCR values as a JSON object (`subject_data` of a push PATCH). */
interface SubjectData {
  readonly node: JsonNode
}

/** The parts of a quote. */
export interface QuoteSource {
  readonly form: string
  readonly message?: Blob | undefined
  readonly signature?: Blob | undefined
  readonly pcrs?: Blob | undefined
  readonly subjectData?: SubjectData | undefined
  /** Errors of the text around the parts. */
  readonly broken: readonly { readonly offset: number; readonly why: string }[]
}

const PARTS: readonly QuotePart[] = ['message', 'signature', 'pcrs']

/** Parses `r<message>:<signature>:<pcrs>`; undefined if the text does not begin with this form. */
function readQuoteText(text: string): QuoteSource | undefined {
  if (!/^r([^\s:]*:|[A-Za-z0-9+/=_-]*$)/.test(text)) return undefined
  const pieces = text.slice(1).split(':')
  const blobs = pieces
    .slice(0, 3)
    .map((piece) => (piece.trim() === '' ? undefined : inflated(readBase64(piece))))
  const [message, signature, pcrs] = blobs
  const why =
    pieces.length === 3 && !blobs.includes(undefined)
      ? undefined
      : `a quote has three parts separated by colons (message, signature, PCR values), found ${pieces.filter((piece) => piece.trim() !== '').length}`
  const broken = why === undefined ? [] : [{ offset: text.length, why }]
  return { form: 'r…:…:… text', message, signature, pcrs, broken }
}

function blobOf(node: JsonNode | undefined): Blob | undefined {
  const text = textOf(node)
  return text === undefined ? undefined : readBase64(text)
}

/** The first object for which `wanted` returns true, outermost first. */
export function findObject(
  root: JsonNode | undefined,
  wanted: (node: JsonNode) => boolean,
): JsonNode | undefined {
  const waiting = root === undefined ? [] : [root]
  for (const node of waiting) {
    if (node.members !== undefined && wanted(node)) return node
    for (const item of node.items ?? []) waiting.push(item)
    for (const member of node.members ?? []) waiting.push(member.node)
  }
  return undefined
}

/** Reads a quote in JSON: an item of `evidence_collected` in a push PATCH, or a member `quote`. */
function readQuoteJson(bytes: Uint8Array): QuoteSource {
  const { root, broken } = readJson(bytes)
  const breaks = broken === undefined ? [] : [broken]
  const push = findObject(root, (node) => at(node, 'message') !== undefined)
  if (push !== undefined) {
    const subject = at(push, 'subject_data')
    return {
      form: 'JSON of a push PATCH',
      message: blobOf(at(push, 'message')),
      signature: blobOf(at(push, 'signature')),
      pcrs: blobOf(subject),
      subjectData: subject?.members === undefined ? undefined : { node: subject },
      broken: breaks,
    }
  }
  const holder = findObject(root, (node) => textOf(at(node, 'quote')) !== undefined)
  const inner = readQuoteText(textOf(at(holder, 'quote')) ?? '')
  if (inner !== undefined)
    return { ...inner, form: 'JSON with a quote', broken: [...breaks, ...inner.broken] }
  const why = 'the JSON contains neither a message with its signature nor a quote'
  return { form: 'JSON', broken: broken === undefined ? [{ offset: 0, why }] : breaks }
}

/** Reads a file with a whole quote; undefined if the file is one part of a quote. */
export function readWholeQuote({ bytes }: Given): QuoteSource | undefined {
  if (!isPlainText(bytes) && !looksLikeJson(bytes)) return undefined
  const text = new TextDecoder().decode(bytes).trim()
  return looksLikeJson(bytes) ? readQuoteJson(bytes) : readQuoteText(text)
}

export function looksLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte !== 0x20 && (byte < 9 || byte > 13))
  return first === 0x7b || first === 0x5b
}

/** Guesses the part from the first bytes; undefined if they are ambiguous. */
export function partOf({ bytes }: Blob): QuotePart | undefined {
  const [first = 0, second = 0, third = 0] = bytes
  if (first === 0xff && second === 0x54) return 'message'
  if (first === 0 && second >= 0x14 && second <= 0x1c) return 'signature'
  const slots = bytes.length - 136
  return first > 0 && second === 0 && third === 0 && slots >= 0 && slots % 532 === 0
    ? 'pcrs'
    : undefined
}

/** Assigns files to the parts of a quote: by their first bytes, otherwise in the order message, signature, PCR values. */
export function joinParts(files: readonly Given[]): QuoteSource {
  const found = new Map<QuotePart, Blob>()
  const left: Blob[] = []
  for (const { bytes } of files) {
    const blob = inflated(readBlob(bytes))
    const part = partOf(blob)
    if (part !== undefined && !found.has(part)) found.set(part, blob)
    else left.push(blob)
  }
  for (const part of PARTS) {
    const next = found.has(part) ? undefined : left.shift()
    if (next !== undefined) found.set(part, next)
  }
  const form = files.length === 1 ? 'one part' : 'separate parts'
  return {
    form,
    message: found.get('message'),
    signature: found.get('signature'),
    pcrs: found.get('pcrs'),
    broken: [],
  }
}
