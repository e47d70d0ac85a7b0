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

/** Twenty letters and digits, as the interface document wants a nonce. */
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

/** A quote by a soft attester that passes, and the means to make others from it that differ in one place. */
export interface SoftQuote {
  readonly attester: SoftAttester
  readonly attest: AttestOverrides
  readonly blob: BlobOverrides
  readonly bytes: QuoteBytes
  readonly evidence: Evidence
}

/** A static policy that asks for these values and no other; its mask names the same PCRs. */
export function policyOf({ values }: BankValues): JsonObject {
  const allowed = [...values].map(([pcr, value]) => [String(pcr), [toHex(value)]] as const)
  const mask = Buffer.from(pcrBitmap([...values.keys()], 3).reverse()).toString('hex')
  return { mask: `0x${mask}`, ...Object.fromEntries(allowed) }
}

/** A sound quote over these banks; `judged` are the values that the policy asks for, those of the first bank unless told. */
export function softQuote(
  attester: SoftAttester,
  banks: readonly BankValues[],
  judged: BankValues | undefined = banks[0],
): SoftQuote {
  const attest = soundAttest(text(NONCE), banks)
  const blob = soundBlob(banks)
  const message = attestBytes(attest)
  const bytes = { message, signature: attester.sign(message), pcrs: blobBytes(blob) }
  const evidence = {
    attestation_key: base64(attester.public),
    nonce: NONCE,
    hash_alg: judged?.bank ?? 'sha256',
    quote: quoteText(bytes),
    ...(judged && { tpm_policy: policyOf(judged) }),
  }
  return { attester, attest, blob, bytes, evidence }
}

/** The quote with some of its bytes replaced; the signature stays what it was. */
export function withBytes({ bytes }: SoftQuote, change: Partial<QuoteBytes>): JsonObject {
  return { quote: quoteText({ ...bytes, ...change }) }
}

/** The quote with another message, signed anew. */
export function signed({ attester, bytes }: SoftQuote, message: Uint8Array): JsonObject {
  return { quote: quoteText({ ...bytes, message, signature: attester.sign(message) }) }
}

/** The quote with some fields of its attestation turned, signed anew. */
export function attested(baseline: SoftQuote, change: Partial<AttestOverrides>): JsonObject {
  return signed(baseline, attestBytes({ ...baseline.attest, ...change }))
}

/** The quote with some knobs of its PCR part turned. */
export function claimed(baseline: SoftQuote, change: Partial<BlobOverrides>): JsonObject {
  return withBytes(baseline, { pcrs: blobBytes({ ...baseline.blob, ...change }) })
}
