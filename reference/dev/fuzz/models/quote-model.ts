import { createHash } from 'node:crypto'
import { equalBytes } from '../../../bytes/equal.ts'
import { toHex } from '../../../bytes/hex.ts'
import type { QuoteInput } from '../../../evidence/quote/quote-case.ts'
import type { PcrValues } from '../../../evidence/quote/verified-pcrs.ts'
import { type ModelPcrs, modelPcrBlob, modelSubjectData } from './pcrs-model.ts'
import { BANKS, bitsOf, Reading } from './reading.ts'
import { modelKey, modelSignature, modelVerifies } from './signature-model.ts'

interface ModelQuote {
  readonly magic: number
  readonly type: number
  readonly extraData: Uint8Array
  readonly clock: bigint
  readonly resetCount: number
  readonly restartCount: number
  readonly safe: number
  readonly selection: readonly (readonly [bank: string, pcrs: readonly number[]])[]
  readonly pcrDigest: Uint8Array
}

function readQuote(bytes: Uint8Array): ModelQuote | undefined {
  const reading = new Reading(bytes)
  const magic = reading.number(4)
  const type = reading.number(2)
  reading.sized(2)
  const extraData = reading.sized(2)
  const clock = BigInt(reading.number(4)) * 2n ** 32n + BigInt(reading.number(4))
  const [resetCount, restartCount, safe] = [reading.number(4), reading.number(4), reading.number(1)]
  reading.bytes(8)
  const count = reading.number(4)
  if (count > 16) return undefined
  const selection = Array.from({ length: count }, () => {
    const [bank = 'unknown'] = BANKS.get(reading.number(2)) ?? []
    return [bank, bitsOf(reading.sized(1))] as const
  })
  const pcrDigest = reading.sized(2)
  const read = { magic, type, extraData, clock, resetCount, restartCount, safe }
  return reading.exact ? { ...read, selection, pcrDigest } : undefined
}

/**
 * Why a quote must not pass, by a reading of its own; undefined when nothing speaks against it.
 * What it asks is the least that any verifier asks, written without a look at the checks.
 */
export function quoteMustNotPass(input: QuoteInput, proven: PcrValues): string | undefined {
  const { message, signature } = input.quote
  const quote = readQuote(message)
  if (!quote) return 'the message is no TPMS_ATTEST of a quote'
  if (quote.magic !== 0xff544347) return 'the message does not begin with TPM_GENERATED_VALUE'
  if (quote.type !== 0x8018) return 'the message is no quote'
  const nonces = input.nonce instanceof Uint8Array ? [input.nonce] : input.nonce
  if (quote.extraData.length === 0 || !nonces.some((each) => equalBytes(each, quote.extraData)))
    return 'the message is over another nonce'
  return (
    signatureProblem(input, signature) ??
    pcrProblem(input, quote, proven) ??
    clockProblem(input, quote)
  )
}

function signatureProblem(input: QuoteInput, bytes: Uint8Array): string | undefined {
  const key = modelKey(input.attestationKey)
  const signature = modelSignature(bytes)
  if (!key) return 'the attestation key is no key'
  if (!signature) return 'the signature is no TPMT_SIGNATURE'
  if (signature.hash !== input.hashAlgorithm) return 'the signature uses another hash than agreed'
  if (input.signatureScheme !== undefined && signature.scheme !== input.signatureScheme)
    return 'the signature uses another scheme than agreed'
  if (!input.acceptedHashes.includes(signature.hash)) return 'the hash is not accepted'
  if (!input.acceptedSchemes.includes(signature.scheme)) return 'the scheme is not accepted'
  if (key.scheme !== 0x10 && BANKS.get(key.hash)?.[0] !== signature.hash)
    return 'the signature uses another hash than its key'
  return modelVerifies(key, signature, input.quote.message)
    ? undefined
    : 'the signature is not good for the message'
}

function pcrProblem(
  { quote, requestedPcrs }: QuoteInput,
  signed: ModelQuote,
  proven: PcrValues,
): string | undefined {
  const { claimed } = quote
  const pcrs =
    claimed.form === 'blob'
      ? modelPcrBlob(claimed.bytes)
      : modelSubjectData(claimed.value, claimed.bank)
  if (!pcrs) return 'the PCR data cannot be read'
  const hash = modelSignature(quote.signature)?.hash ?? ''
  if (!sameSelection(signed, pcrs)) return 'the PCR data claims another selection than was signed'
  const values = pcrs.find(({ bank }) => bank === requestedPcrs.bank)?.values
  if (!requestedPcrs.pcrs.every((pcr) => values?.has(pcr)))
    return 'a PCR that was asked for is missing'
  const all = pcrs.flatMap((each) => [...each.values.values()])
  const openssl = [...BANKS.values()].find(([name]) => name === hash)?.[2] ?? ''
  const digest = createHash(openssl).update(Buffer.concat(all)).digest()
  if (!equalBytes(digest, signed.pcrDigest)) return 'the digest is not that of the values'
  return sameValues(pcrs, proven) ? undefined : 'what is proven is not what was quoted'
}

function sameValues(claimed: ModelPcrs, proven: PcrValues): boolean {
  const list = (bank: string, values: ReadonlyMap<number, Uint8Array> = new Map()) =>
    [...values].map(([pcr, value]) => `${bank} ${pcr} ${toHex(value)}`)
  const left = claimed.flatMap(({ bank, values }) => list(bank, values))
  return left.join() === [...proven].flatMap(([bank, values]) => list(bank, values)).join()
}

function sameSelection(signed: ModelQuote, claimed: ModelPcrs): boolean {
  const left = signed.selection.flatMap(([bank, pcrs]) => pcrs.map((pcr) => `${bank} ${pcr}`))
  const right = claimed.flatMap(({ bank, values }) =>
    [...values.keys()].map((pcr) => `${bank} ${pcr}`),
  )
  return left.length > 0 && left.join() === right.join()
}

function clockProblem({ previousClock }: QuoteInput, now: ModelQuote): string | undefined {
  if (now.safe !== 1) return 'the clock is not safe'
  if (!previousClock) return undefined
  if (now.resetCount < previousClock.resetCount) return 'resets were taken back'
  if (now.resetCount > previousClock.resetCount) return undefined
  if (now.restartCount < previousClock.restartCount) return 'restarts were taken back'
  return now.clock > previousClock.clock ? undefined : 'the clock stood still or went back'
}
