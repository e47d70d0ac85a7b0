import { createHash } from 'node:crypto'
import { toHex } from '../../../bytes/hex.ts'
import { type QuoteRun, softKeyOf } from '../machines.ts'
import { modelPcrBlob } from '../models/pcrs-model.ts'
import type { Random } from '../random.ts'
import { mutateBytes, spliceBytes, swellBytes } from './bytes.ts'
import { mutateJson } from './json.ts'
import { splitAttest, splitPcrBlob, splitPublic, splitSignature } from './layouts.ts'
import { joinSegments, mutateSegments, type Segment } from './segments.ts'

type Split = (bytes: Uint8Array) => readonly Segment[]

/** A change of a structure: field by field twice out of three times, else byte by byte. */
export function mutateStructure(
  bytes: Uint8Array,
  other: Uint8Array,
  split: Split,
  random: Random,
): Uint8Array {
  const way = random.below(12)
  if (way < 8) return joinSegments(mutateSegments(split(bytes), split(other), random))
  return way < 11 ? mutateBytes(bytes, random) : spliceBytes(bytes, other, random)
}

type Step = (run: QuoteRun, other: QuoteRun, random: Random) => QuoteRun

function changeMessage(run: QuoteRun, other: QuoteRun, random: Random): QuoteRun {
  return { ...run, message: mutateStructure(run.message, other.message, splitAttest, random) }
}

function changeSignature(run: QuoteRun, other: QuoteRun, random: Random): QuoteRun {
  const { signature } = settle(run)
  const changed = mutateStructure(signature, other.signature, splitSignature, random)
  return { ...run, signature: changed, signed: false }
}

function changeBlob(run: QuoteRun, other: QuoteRun, random: Random): QuoteRun {
  return { ...run, blob: mutateStructure(run.blob, other.blob, splitPcrBlob, random) }
}

const steps: readonly Step[] = [
  changeMessage,
  changeMessage,
  changeMessage,
  changeSignature,
  changeBlob,
  changeBlob,
  (run, other, random) => {
    const key = mutateStructure(run.attestationKey, other.attestationKey, splitPublic, random)
    return { ...run, attestationKey: key }
  },
  (run, other, random) => ({
    ...run,
    subject: mutateJson(run.subject ?? subjectOf(run), other.subject ?? '{}', random),
  }),
  splicePart,
  splicePart,
  expectOtherwise,
]

/** One to three changes of a quote or of what is expected of it; often digest and signature are mended afterwards. */
export function mutateQuote(run: QuoteRun, other: QuoteRun, random: Random): QuoteRun {
  let changed = run
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left--)
    changed = random.pick(steps)(changed, other, random)
  if (random.once(4096)) changed = { ...changed, blob: swellBytes(changed.blob, random) }
  if (random.once(2)) changed = redigest(changed)
  const mends = softKeyOf(changed.attestationKey) !== undefined && !random.once(3)
  return mends && changed.signature === run.signature ? { ...changed, signed: true } : changed
}

/** With the signature of its soft key written out. */
export function settle(run: QuoteRun): QuoteRun {
  const key = run.signed ? softKeyOf(run.attestationKey) : undefined
  return { ...run, signed: false, ...(key && { signature: key.sign(run.message) }) }
}

/** A part of the other machine in place of the own one. */
function splicePart(run: QuoteRun, other: QuoteRun, random: Random): QuoteRun {
  const { subject, ...rest } = run
  switch (random.below(7)) {
    case 0:
      return { ...run, attestationKey: other.attestationKey }
    case 1:
      return { ...run, message: other.message }
    case 2:
      return { ...run, signature: settle(other).signature, signed: false }
    case 3:
      return { ...rest, blob: other.blob }
    case 4:
      return { ...run, nonce: other.nonce }
    case 5:
      return { ...run, message: other.message, signature: other.signature, signed: other.signed }
    default:
      return other.subject === undefined ? rest : { ...run, subject: other.subject }
  }
}

const HASHES = ['sha1', 'sha256', 'sha384', 'sha512', 'sha3_256', 'sm3_256', '', 'SHA256']
const SCHEMES = ['rsassa', 'rsapss', 'ecdsa', 'ecdaa', '']
const PCRS: readonly (readonly number[])[] = [[], [0], [10], [0, 7], [10, 16], [23], [24], [0, 10]]

/** The same evidence beside other expectations. */
function expectOtherwise(run: QuoteRun, other: QuoteRun, random: Random): QuoteRun {
  switch (random.below(6)) {
    case 0:
      return { ...run, bank: random.pick(HASHES) }
    case 1:
      return { ...run, pcrs: random.pick(PCRS) }
    case 2:
      return { ...run, hashAlgorithm: random.pick(HASHES) }
    case 3:
      return { ...run, signatureScheme: random.pick(SCHEMES) }
    case 4:
      return { ...run, nonce: random.once(2) ? mutateBytes(run.nonce, random) : other.nonce }
    default:
      return {
        ...run,
        before: [random.pick([0n, 999n, 1000n, 5000n]), random.below(8), random.below(3)],
      }
  }
}

/** The values of the blob in the form of a JSON object. */
function subjectOf({ blob, bank }: QuoteRun): string {
  const values = modelPcrBlob(blob)?.find((each) => each.bank === bank)?.values ?? new Map()
  const texts = [...values].map(([pcr, value]) => [String(pcr), toHex(value)])
  return JSON.stringify(Object.fromEntries(texts))
}

/** With a signed digest that is that of the claimed values, whatever they are now. */
function redigest(run: QuoteRun): QuoteRun {
  const pcrs = run.subject === undefined ? modelPcrBlob(run.blob) : undefined
  const openssl = ['sha1', 'sha256', 'sha384', 'sha512'].find((each) => each === run.hashAlgorithm)
  if (!pcrs || !openssl) return run
  const all = pcrs.flatMap(({ values }) => [...values.values()])
  const bytes = createHash(openssl).update(Buffer.concat(all)).digest()
  const segments = splitAttest(run.message)
  if (!segments.some(({ name }) => name === 'pcrDigest')) return run
  const mended = segments.map((each) => (each.name === 'pcrDigest' ? { ...each, bytes } : each))
  return { ...run, message: joinSegments(mended) }
}
