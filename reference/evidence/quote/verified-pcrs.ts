import { toHex } from '../../bytes/hex.ts'

declare const proof: unique symbol

/** PCR values: bank -> PCR number -> value. */
type PcrValues = ReadonlyMap<string, ReadonlyMap<number, Uint8Array>>

/**
 * PCR values whose digest was inside a quote that passed every check it was given.
 * Only `quote.ts` makes one; replay and policies accept only this type, and a plain map does not compile.
 */
export type VerifiedPcrs = PcrValues & { readonly [proof]: 'quote' }

/** PCR values as plain data: bank -> PCR number -> lower-case hex. */
export type PcrReport = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Plain data for reports and storage; the proof stays behind. */
export function presentPcrs(pcrs: PcrValues): PcrReport {
  const banks = [...pcrs].map(([bank, values]) => {
    const texts = [...values].map(([pcr, value]) => [String(pcr), toHex(value)])
    return [bank, Object.fromEntries(texts)]
  })
  return Object.fromEntries(banks)
}
