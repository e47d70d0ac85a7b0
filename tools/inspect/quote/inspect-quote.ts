import type { TPMS_ATTEST } from '../../../simulator/tpm/attest.ts'
import { bankOf, digest } from '../../../simulator/tpm/hash.ts'
import { presentPcrSelections } from '../../../simulator/tpm/pcr-selection.ts'
import { type TPMT_SIGNATURE, verifySignature } from '../../../simulator/tpm/signature.ts'
import { cat, equal, toHex } from '../../../simulator/tpm/write.ts'
import type { Blob } from '../blob.ts'
import type { Broken, Comparison, Fact, Inspection, Part, Source } from '../inspection.ts'
import type { Structure } from '../read-fields.ts'
import { algorithm } from '../show.ts'
import { collectWarnings, type Warnings } from '../warnings.ts'
import { ATTEST_ABOUT, ATTEST_PART, attestFacts, readAttestPart } from './inspect-attest.ts'
import { PCRS_ABOUT, PCRS_PART, type PcrBlob, pcrsFact, readPcrsPart } from './inspect-pcrs.ts'
import {
  isVerifiable,
  readSignaturePart,
  SIGNATURE_ABOUT,
  SIGNATURE_PART,
  signatureFact,
} from './inspect-signature.ts'
import type { QuoteSource } from './quote-source.ts'
import { readSubjectData, type SubjectValues } from './subject-data.ts'
import type { VerificationKey } from './verification-key.ts'

const ABOUT =
  'A quote: a TPM signs a selection of PCRs, the hash of their values, and a nonce. A PCR (platform configuration register) can only be extended, so its value represents all measurements since the reset.'

interface Read {
  readonly message?: Structure<TPMS_ATTEST> | undefined
  readonly signature?: Structure<TPMT_SIGNATURE> | undefined
  readonly pcrs?: Structure<PcrBlob> | undefined
  readonly subject?: SubjectValues | undefined
}

/** A part for display. */
export function partOf(name: string, about: string, blob: Blob, read: Structure<unknown>): Part {
  return { name, about, form: blob.form, length: blob.bytes.length, fields: read.fields }
}

/** Decoding errors of the encoding of a part; adds its warnings. */
export function brokenForm(part: string, blob: Blob, warnings: Warnings): readonly Broken[] {
  for (const { id, says } of blob.odd) warnings.add(id, { part, offset: 0, path: '', says })
  return blob.broken.map((each) => ({ part, ...each }))
}

interface ShownPart {
  readonly part: Part
  readonly broken: readonly Broken[]
}

function shown(
  name: string,
  about: string,
  blob: Blob | undefined,
  read: Structure<unknown> | undefined,
  warnings: Warnings,
): readonly ShownPart[] {
  if (blob === undefined || read === undefined) return []
  const broken = [...read.broken, ...brokenForm(name, blob, warnings)]
  return [{ part: partOf(name, about, blob, read), broken }]
}

/** Decodes the parts of a quote, compares them with each other, and verifies the signature with a key. */
export function inspectQuote(
  quote: QuoteSource,
  sources: readonly Source[],
  key?: VerificationKey,
): Inspection {
  const warnings = collectWarnings()
  const { message, signature, pcrs, subjectData } = quote
  const read: Read = {
    message: message && readAttestPart(message, warnings),
    signature: signature && readSignaturePart(signature, warnings),
    pcrs: pcrs && readPcrsPart(pcrs, warnings),
    subject: subjectData && readSubjectData(subjectData.node, warnings),
  }
  const parts = [
    ...shown(ATTEST_PART, ATTEST_ABOUT, message, read.message, warnings),
    ...shown(SIGNATURE_PART, SIGNATURE_ABOUT, signature, read.signature, warnings),
    ...shown(PCRS_PART, PCRS_ABOUT, pcrs, read.pcrs, warnings),
    ...(read.subject === undefined ? [] : [read.subject]),
  ]
  return {
    kind: 'quote',
    about: ABOUT,
    sources,
    facts: factsOf(read),
    parts: parts.map(({ part }) => part),
    comparisons: [
      compareSignature(message, read, key),
      compareScheme(read, key),
      compareSelection(read),
      compareDigest(read),
    ],
    warnings: warnings.list(),
    broken: [
      ...quote.broken.map(({ offset, why }) => ({ part: 'text', offset, path: '', why })),
      ...parts.flatMap(({ broken }) => broken),
    ],
    ima: null,
    eventlog: null,
    policy: null,
  }
}

function factsOf({ message, signature, pcrs, subject }: Read): readonly Fact[] {
  return [
    ...(message?.value ? attestFacts(message.value) : []),
    ...(signature?.value ? [{ name: 'signature', value: signatureFact(signature.value) }] : []),
    ...(pcrs?.value ? [{ name: 'values of', value: pcrsFact(pcrs.value) }] : []),
    ...(subject
      ? [
          {
            name: 'values of',
            value: `PCR ${subject.values?.map(({ pcr }) => pcr).join(', ') ?? 'unclear'}`,
          },
        ]
      : []),
  ]
}

function compareSignature(
  message: Blob | undefined,
  { signature }: Read,
  key: VerificationKey | undefined,
): Comparison {
  const id = 'signature'
  if (key === undefined) return { id, holds: null, says: 'not verified: no key given (--ak FILE)' }
  if (message === undefined || signature?.value === undefined) {
    return { id, holds: null, says: 'not verified: message or signature is missing or broken' }
  }
  if (!isVerifiable(signature.value)) {
    const scheme = signatureFact(signature.value)
    return { id, holds: false, says: `NOT VERIFIED: ${scheme} is not supported` }
  }
  const holds = verifySignature(message.bytes, signature.value, key.key)
  return {
    id,
    holds,
    says: holds
      ? `verified: the key in ${key.file} signed this message (${key.says})`
      : `DOES NOT VERIFY: the key in ${key.file} did not make this signature over this message (${key.says})`,
  }
}

/** A restricted key signs in one scheme only; a signature in another scheme is from another key. */
function compareScheme({ signature }: Read, key: VerificationKey | undefined): Comparison {
  const id = 'scheme'
  const scheme = key?.area?.scheme
  if (signature?.value === undefined || scheme?.hash === undefined) {
    return { id, holds: null, says: 'not compared: the scheme of the key is unknown' }
  }
  const used = signatureFact(signature.value)
  const own = `${algorithm(scheme.alg)} with ${algorithm(scheme.hash)}`
  return used === own
    ? { id, holds: true, says: `the signature has the scheme of the key: ${own}` }
    : { id, holds: false, says: `the signature is ${used}, but the key signs with ${own} only` }
}

function compareSelection({ message, pcrs }: Read): Comparison {
  const id = 'selection'
  const attested = message?.value?.attested
  if (attested?.kind !== 'quote' || pcrs?.value === undefined) {
    return {
      id,
      holds: null,
      says: 'not compared: there are no PCR values, or they contain no selection',
    }
  }
  const signed = presentPcrSelections(attested.pcrSelect)
  const stated = presentPcrSelections(pcrs.value.selections)
  return signed === stated
    ? { id, holds: true, says: `the PCR values have the signed selection: ${signed || 'none'}` }
    : {
        id,
        holds: false,
        says: `the signed selection is ${signed || 'none'}, but that of the PCR values is ${stated || 'none'}`,
      }
}

/** Part 3, 18.4: the digest uses the hash algorithm of the signature. */
function compareDigest({ message, signature, pcrs, subject }: Read): Comparison {
  const id = 'digest'
  const attested = message?.value?.attested
  const hash = signature?.value?.kind === 'opaque' ? undefined : bankOf(signature?.value?.hash ?? 0)
  const values = pcrs?.value?.values ?? subject?.values?.map(({ value }) => value)
  if (attested?.kind !== 'quote' || hash === undefined || values === undefined) {
    return { id, holds: null, says: 'not compared: message, signature and PCR values are required' }
  }
  const computed = digest(hash, cat(...values))
  return equal(computed, attested.pcrDigest)
    ? { id, holds: true, says: `the hash of the PCR values is the signed digest (${hash})` }
    : {
        id,
        holds: false,
        says: `the hash of the PCR values is ${toHex(computed.subarray(0, 4))}…, but the signed digest is ${toHex(attested.pcrDigest.subarray(0, 4))}… (${hash})`,
      }
}
