import type { Blob } from './blob.ts'
import type { Fact, Inspection, Source } from './inspection.ts'
import { ATTEST_ABOUT, ATTEST_PART, attestFacts, readAttestPart } from './quote/inspect-attest.ts'
import { PCRS_ABOUT, PCRS_PART, pcrsFact, readPcrsPart } from './quote/inspect-pcrs.ts'
import { brokenForm, partOf } from './quote/inspect-quote.ts'
import {
  readSignaturePart,
  SIGNATURE_ABOUT,
  SIGNATURE_PART,
  signatureFact,
} from './quote/inspect-signature.ts'
import { looksLikeJson, type QuotePart, readWholeQuote } from './quote/quote-source.ts'
import type { Structure } from './read-fields.ts'
import type { Given } from './read-given.ts'
import { inflated, readBlob } from './text-forms.ts'
import { collectWarnings, type Warnings } from './warnings.ts'

type PartKind = 'attest' | 'signature' | 'pcrs'

interface PartRow {
  readonly part: QuotePart
  readonly name: string
  readonly about: string
  readonly says: string
  read(
    blob: Blob,
    warnings: Warnings,
  ): { readonly structure: Structure<unknown>; readonly facts: readonly Fact[] }
}

function row<T>(
  part: QuotePart,
  name: string,
  about: string,
  says: string,
  read: (blob: Blob, warnings: Warnings) => Structure<T>,
  facts: (value: T) => readonly Fact[],
): PartRow {
  return {
    ...{ part, name, about, says },
    read(blob, warnings) {
      const structure = read(blob, warnings)
      return { structure, facts: structure.value === undefined ? [] : facts(structure.value) }
    },
  }
}

const ROWS: Readonly<Record<PartKind, PartRow>> = {
  attest: row(
    'message',
    ATTEST_PART,
    ATTEST_ABOUT,
    'An attestation structure (TPMS_ATTEST): the bytes that the key of a TPM signs. Without the signature it proves nothing.',
    readAttestPart,
    attestFacts,
  ),
  signature: row(
    'signature',
    SIGNATURE_PART,
    SIGNATURE_ABOUT,
    'The signature over an attestation structure (TPMT_SIGNATURE): scheme, hash and signature values.',
    readSignaturePart,
    (signature) => [{ name: 'signature', value: signatureFact(signature) }],
  ),
  pcrs: row(
    'pcrs',
    PCRS_PART,
    PCRS_ABOUT,
    'PCR values as written by tpm2_quote -F serialized, with little-endian numbers. A quote signs only their hash.',
    readPcrsPart,
    (blob) => [{ name: 'values of', value: pcrsFact(blob) }],
  ),
}

/** The structure in a file; a file with a whole quote is accepted too. */
function blobIn(given: Given, part: QuotePart): { readonly blob: Blob; readonly form: string } {
  const quote = readWholeQuote(given)
  const inside = quote?.[part]
  if (quote !== undefined && inside !== undefined) return { blob: inside, form: quote.form }
  const blob = inflated(readBlob(given.bytes))
  if (!looksLikeJson(given.bytes)) return { blob, form: blob.form }
  const why = 'the JSON does not contain this part'
  return {
    blob: { ...blob, bytes: new Uint8Array(), broken: [{ offset: 0, path: '', why }] },
    form: 'JSON',
  }
}

/** Decodes one structure of a quote. */
export function inspectPart(kind: PartKind, given: Given): Inspection {
  const { part, name, about, says, read } = ROWS[kind]
  const { blob, form } = blobIn(given, part)
  const warnings = collectWarnings()
  const { structure, facts } = read(blob, warnings)
  const source: Source = { file: given.file, form, length: given.bytes.length }
  const broken = [...structure.broken, ...brokenForm(name, blob, warnings)]
  return {
    ...{ kind, about: says, sources: [source], facts },
    parts: [partOf(name, about, blob, structure)],
    comparisons: [],
    warnings: warnings.list(),
    ...{ broken, ima: null, eventlog: null, policy: null },
  }
}
