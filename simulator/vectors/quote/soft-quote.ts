import type { SoftAttester } from '../../machine/soft-attester.ts'
import { pcrBitmap } from '../../tpm/pcr-selection.ts'
import { text, toHex } from '../../tpm/write.ts'
import type { Evidence, JsonObject } from '../form.ts'
import {
  type AttestOverrides,
  attestBytes,
  type BankValues,
  soundAttest,
} from './attest-overrides.ts'
import { type BlobOverrides, blobBytes, soundBlob } from './blob-overrides.ts'

/** Twenty letters and digits, as the interface document requires for a nonce. */
export const NONCE = 'q7Rk2mZ9tB4xW1nL8sVd'

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** The three parts of a pull quote. */
export interface QuoteBytes {
  readonly message: Uint8Array
  readonly signature: Uint8Array
  readonly pcrs: Uint8Array
}

/** `r<message>:<signature>:<pcrs>` */
export function quoteText({ message, signature, pcrs }: QuoteBytes): string {
  return `r${[message, signature, pcrs].map(base64).join(':')}`
}

/** A valid quote by a soft attester, and the parts to derive variants from it. */
export interface SoftQuote {
  readonly attester: SoftAttester
  readonly attest: AttestOverrides
  readonly blob: BlobOverrides
  readonly bytes: QuoteBytes
  readonly evidence: Evidence
}

/** Returns a static policy that requires exactly these values; its mask names the same PCRs. */
export function policyOf({ values }: BankValues): JsonObject {
  const allowed = [...values].map(([pcr, value]) => [String(pcr), [toHex(value)]] as const)
  const mask = Buffer.from(pcrBitmap([...values.keys()], 3).reverse()).toString('hex')
  return { mask: `0x${mask}`, ...Object.fromEntries(allowed) }
}

/**
 * Returns a valid quote over these banks; the policy requires the values `required`, by default those of the first
 * bank.
 */
export function softQuote(
  attester: SoftAttester,
  banks: readonly BankValues[],
  required: BankValues | undefined = banks[0],
): SoftQuote {
  const attest = soundAttest(text(NONCE), banks)
  const blob = soundBlob(banks)
  const message = attestBytes(attest)
  const bytes = { message, signature: attester.sign(message), pcrs: blobBytes(blob) }
  const evidence = {
    attestation_key: base64(attester.public),
    nonce: NONCE,
    hash_alg: required?.bank ?? 'sha256',
    quote: quoteText(bytes),
    ...(required && { tpm_policy: policyOf(required) }),
  }
  return { attester, attest, blob, bytes, evidence }
}

/** Returns the quote with some of its bytes replaced and the signature unchanged. */
export function withBytes({ bytes }: SoftQuote, change: Partial<QuoteBytes>): JsonObject {
  return { quote: quoteText({ ...bytes, ...change }) }
}

/** Returns the quote with another message, signed again. */
export function signed({ attester, bytes }: SoftQuote, message: Uint8Array): JsonObject {
  return { quote: quoteText({ ...bytes, message, signature: attester.sign(message) }) }
}

/** Returns the quote with overrides in its attestation, signed again. */
export function attested(baseline: SoftQuote, change: Partial<AttestOverrides>): JsonObject {
  return signed(baseline, attestBytes({ ...baseline.attest, ...change }))
}

/** Returns the quote with overrides in its PCR part. */
export function claimed(baseline: SoftQuote, change: Partial<BlobOverrides>): JsonObject {
  return withBytes(baseline, { pcrs: blobBytes({ ...baseline.blob, ...change }) })
}
