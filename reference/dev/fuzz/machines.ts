import { createHash } from 'node:crypto'
import { toHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'
import type { ClaimedSource, QuoteClock } from '../../evidence/quote/quote-case.ts'
import { RECORDED_QUOTES, recordedCase } from '../../evidence/testing/recorded-case.ts'
import { joinSegments, type Segment } from './mutators/segments.ts'
import { makeEcKey, makeRsaKey, type SoftKey } from './soft-keys.ts'
import type { Input } from './target.ts'

/** A quote with everything that judges it; plain data. */
export interface QuoteRun extends Input {
  readonly attestationKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
  /** whether the soft key that `attestationKey` belongs to signs the message anew, in place of `signature` */
  readonly signed: boolean
  /** PCR blob; `subject` takes its place when it is there */
  readonly blob: Uint8Array
  /** JSON text of `subject_data` */
  readonly subject?: string
  readonly nonce: Uint8Array
  readonly hashAlgorithm: string
  readonly signatureScheme: string
  readonly bank: string
  readonly pcrs: readonly number[]
  /** clock, resetCount, restartCount of the quote before */
  readonly before?: readonly [bigint, number, number]
}

/**
 * Keys that sign for the fuzzer; machines share none. Most are RSA keys, as reading the point of the other kind costs
 * more than everything else that is done to a quote.
 */
export const SOFT_KEYS: readonly SoftKey[] = [
  makeRsaKey('first machine', 'rsassa', 'sha256'),
  makeRsaKey('second machine', 'rsapss', 'sha256'),
  makeRsaKey('third machine', 'rsassa', 'sha384'),
  makeRsaKey('fourth machine', 'rsassa', 'sha256'),
  makeRsaKey('fifth machine', 'rsapss', 'sha384'),
  makeEcKey('sixth machine', 'p256', 'sha256'),
]

const byPublic = new Map(SOFT_KEYS.map((key) => [toHex(key.tpm2bPublic), key]))

/** The soft key of a TPM2B_PUBLIC, if it is one. */
export function softKeyOf(tpm2bPublic: Uint8Array): SoftKey | undefined {
  return byPublic.get(toHex(tpm2bPublic))
}

type Values = readonly (readonly [pcr: number, value: Uint8Array])[]

interface MachineRow {
  readonly key: SoftKey
  readonly nonce: string
  readonly banks: readonly (readonly [bank: string, id: number, values: Values])[]
  readonly clock: readonly [bigint, number, number]
  readonly before?: readonly [bigint, number, number]
  readonly subject?: boolean
}

function values(seed: string, size: number, pcrs: readonly number[]): Values {
  return pcrs.map((pcr) => [
    pcr,
    new Uint8Array(hashed('sha512', `${seed} ${pcr}`)).subarray(0, size),
  ])
}

function hashed(hash: string, data: string | Uint8Array): Uint8Array {
  return createHash(hash).update(data).digest()
}

const ALL = Array.from({ length: 24 }, (_, pcr) => pcr)

const ROWS: readonly MachineRow[] = SOFT_KEYS.flatMap(
  (key, index) =>
    [
      {
        key,
        nonce: `nonce number ${index}`,
        banks: [['sha256', 11, values(`machine ${index}`, 32, [0, 10])]],
        clock: [1000n, 5, 1],
        before: [900n, 5, 1],
        subject: index % 2 === 1,
      },
      {
        key,
        nonce: `another nonce ${index}`,
        banks: [
          ['sha1', 4, values(`machine ${index}`, 20, [10])],
          ['sha256', 11, values(`machine ${index}`, 32, index === 0 ? ALL : [0, 7, 10, 14])],
        ],
        clock: [5000n, 6, 0],
      },
    ] satisfies readonly MachineRow[],
)

function number(value: number | bigint, length: number): Uint8Array {
  const digits = value.toString(16).padStart(2 * length, '0')
  return new Uint8Array(Buffer.from(digits, 'hex'))
}

function bitmap(pcrs: readonly number[]): Uint8Array {
  const bits = new Uint8Array(3)
  for (const pcr of pcrs) bits[pcr >> 3] = (bits[pcr >> 3] ?? 0) | (1 << (pcr & 7))
  return bits
}

function attestOf({ key, nonce, banks, clock }: MachineRow): Uint8Array {
  const field = (name: string, bytes: Uint8Array, prefix: Segment['prefix'] = 0): Segment => {
    return { name, prefix, order: 'big', bytes }
  }
  const all = banks.flatMap(([, , each]) => each.map(([, value]) => value))
  return joinSegments([
    field('magic', number(0xff544347, 4)),
    field('type', number(0x8018, 2)),
    field('qualifiedSigner', concat(number(11, 2), hashed('sha256', nonce)), 2),
    field('extraData', Buffer.from(nonce), 2),
    field('clock', number(clock[0], 8)),
    field('resetCount', number(clock[1], 4)),
    field('restartCount', number(clock[2], 4)),
    field('safe', number(1, 1)),
    field('firmwareVersion', number(0x20191023n, 8)),
    field('count', number(banks.length, 4)),
    ...banks.flatMap(([, id, each]) => [
      field('bank', number(id, 2)),
      field('bitmap', bitmap(each.map(([pcr]) => pcr)), 1),
    ]),
    field('pcrDigest', hashed(key.hash, concat(...all)), 2),
  ])
}

function little(value: number, length: number): Uint8Array {
  return number(value, length).reverse()
}

/** The PCR blob of these values. */
export function blobOf(banks: MachineRow['banks']): Uint8Array {
  const slots = banks.map(([, id, each]) =>
    concat(little(id, 2), Uint8Array.of(3), bitmap(each.map(([pcr]) => pcr)), new Uint8Array(2)),
  )
  const digests = banks.flatMap(([, , each]) => each.map(([, value]) => value))
  const lists = Array.from({ length: Math.ceil(digests.length / 8) }, (_, list) => {
    const part = digests.slice(8 * list, 8 * list + 8)
    const buffers = Array.from({ length: 8 }, (_unused, at) => {
      const digest = part[at] ?? new Uint8Array()
      return concat(little(digest.length, 2), digest, new Uint8Array(64 - digest.length))
    })
    return concat(little(part.length, 4), ...buffers)
  })
  const unused = new Uint8Array(8 * (16 - slots.length))
  return concat(little(slots.length, 4), ...slots, unused, little(lists.length, 4), ...lists)
}

function softRun(row: MachineRow, of: number): QuoteRun {
  const message = attestOf(row)
  const [bank = '', , claimed = []] = row.banks.at(-1) ?? []
  const texts = claimed.map(([pcr, value]) => [String(pcr), toHex(value)])
  return {
    of,
    attestationKey: row.key.tpm2bPublic,
    message,
    signature: row.key.sign(message),
    signed: false,
    blob: blobOf(row.banks),
    ...(row.subject && { subject: JSON.stringify(Object.fromEntries(texts)) }),
    nonce: new Uint8Array(Buffer.from(row.nonce)),
    hashAlgorithm: row.key.hash,
    signatureScheme: row.key.scheme,
    bank,
    pcrs: [0, 10],
    ...(row.before && { before: row.before }),
  }
}

function recordedRuns(from: number): readonly QuoteRun[] {
  return RECORDED_QUOTES.map((quote, index) => {
    const { attestationKey, requestedPcrs, ...recorded } = recordedCase({}, quote)
    const { message, signature, claimed } = recorded.quote
    return {
      of: from + index,
      attestationKey,
      message,
      signature,
      signed: false,
      blob: claimed.form === 'blob' ? claimed.bytes : new Uint8Array(),
      nonce: recorded.nonce instanceof Uint8Array ? recorded.nonce : new Uint8Array(),
      hashAlgorithm: recorded.hashAlgorithm,
      signatureScheme: quote.file.split('_')[0]?.replace(/\d+$/, '') ?? '',
      bank: requestedPcrs.bank,
      pcrs: requestedPcrs.pcrs,
    }
  })
}

/** Quotes of machines that do not lie: some made here, some recorded. */
export const HONEST_QUOTES: readonly QuoteRun[] = [
  ...ROWS.map(softRun),
  ...recordedRuns(ROWS.length),
]

/** The claimed values in the form in which they are judged. */
export function claimedOf({ subject, blob, bank }: QuoteRun): ClaimedSource {
  if (subject === undefined) return { form: 'blob', bytes: blob }
  try {
    return { form: 'subject_data', value: JSON.parse(subject), bank }
  } catch {
    // Text that is no JSON never gets as far as evidence; what stands in for it is no object either.
    return { form: 'subject_data', value: null, bank }
  }
}

/** The clock of the quote before, in the form in which it is kept. */
export function clockBefore({ before }: QuoteRun): QuoteClock | undefined {
  if (!before) return undefined
  const [clock, resetCount, restartCount] = before
  return { clock, resetCount, restartCount }
}
