import { eccAttester, rsaAttester } from '../../machine/soft-attester.ts'
import type { Scalars } from '../../soft/ecdsa.ts'
import { TPM_ALG } from '../../tpm/constants.ts'
import { parseSignature, type TPMT_SIGNATURE, writeSignature } from '../../tpm/signature.ts'
import { attestBytes, bankValues } from './attest-overrides.ts'
import { quoteText, type SoftQuote, softQuote } from './soft-quote.ts'

const values = [bankValues('sha256', [0, 23])]

export const eccKey = eccAttester('adversarial')
export const rsaKey = rsaAttester('adversarial')
export const pssKey = rsaAttester('adversarial PSS', TPM_ALG.RSAPSS)

export const ecc = softQuote(eccKey, values)
export const rsa = softQuote(rsaKey, values)
export const pss = softQuote(pssKey, values)

/** The two numbers of the baseline's ECDSA signature. */
export const eccScalars: Scalars = eccKey.scalars(ecc.bytes.message)

/** Returns the bytes of a baseline's RSA signature. */
export function rsaBytes({ bytes }: SoftQuote): Uint8Array {
  const signature = parseSignature(bytes.signature)
  if (signature.kind !== 'rsa') throw new Error('this baseline has no RSA signature')
  return signature.sig
}

/** Returns a quote that differs only in its clock, and so in its signature. */
function ticked(baseline: SoftQuote, tick: number): SoftQuote {
  const attest = { ...baseline.attest, clock: baseline.attest.clock + BigInt(tick) }
  const message = attestBytes(attest)
  const bytes = { ...baseline.bytes, message, signature: baseline.attester.sign(message) }
  return { ...baseline, attest, bytes, evidence: { ...baseline.evidence, quote: quoteText(bytes) } }
}

/** Returns the first of such quotes whose signature matches; about one in 256 begins with a zero byte. */
function firstThat(baseline: SoftQuote, fits: (quote: SoftQuote) => boolean): SoftQuote {
  for (let tick = 0; ; tick += 1) {
    const quote = ticked(baseline, tick)
    if (fits(quote)) return quote
  }
}

/** An RSA quote whose signature begins with a zero byte. */
export const rsaLeadingZero = firstThat(rsa, (quote) => rsaBytes(quote)[0] === 0)

/** ECDSA numbers over the baseline's message, of which `which` is a byte shorter than the field. */
export function shortScalars(which: keyof Scalars): Scalars {
  for (let salt = 0; ; salt += 1) {
    const scalars = eccKey.scalars(ecc.bytes.message, 'sha256', String(salt))
    if (scalars[which] >> 248n === 0n) return scalars
  }
}

/** TPMT_SIGNATURE of a baseline with some members changed. */
export function signatureWith(baseline: SoftQuote, change: Partial<TPMT_SIGNATURE>): Uint8Array {
  return writeSignature({
    ...parseSignature(baseline.bytes.signature),
    ...change,
  } as TPMT_SIGNATURE)
}
