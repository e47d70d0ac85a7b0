import { concat } from '../../bytes/writer.ts'
import { hashById, hashes } from '../../tpm/algorithms.ts'
import { attempt } from '../../tpm/codec.ts'
import { digestOf } from '../../tpm/digest.ts'
import { TPMT_SIGNATURE } from '../../tpm/signature.ts'
import type { Check } from '../check.ts'
import type { Finding } from '../findings.ts'
import { evaluateQuote, quoteChecks } from '../quote/quote.ts'
import type { QuoteCase, QuoteInput } from '../quote/quote-case.ts'
import type { QuoteParts } from '../quote/quote-string.ts'

/** The rules of deep quotes (docs/deep-quotes.md); an implementation without one of them is a mutant. */
export interface DeepQuoteRules {
  /** Checks of the virtual TPM's quote when it activates. */
  readonly guestChecks: readonly Check<QuoteCase>[]
  /** Checks of the host's quote when a guest activates. */
  readonly hostChecks: readonly Check<QuoteCase>[]
  /** extraData of the virtual TPM's quote when it activates. */
  activationNonce(proof: ActivationProof): Uint8Array
  /** extraData of the host's quote, from the TPMS_ATTEST of the virtual TPM's. */
  hostNonce(guest: Pick<QuoteParts, 'message'>): Uint8Array
}

/** What the quote of an activation proves to belong together. */
export interface ActivationProof {
  /** Text of the `auth_tag` of an ordinary activation. */
  readonly tag: string
  /** TPM2B_PUBLIC of both registered keys */
  readonly ak: Uint8Array
  readonly ek: Uint8Array
}

export const deepQuoteRules: DeepQuoteRules = {
  guestChecks: quoteChecks,
  hostChecks: quoteChecks,
  activationNonce: ({ tag, ak, ek }) =>
    digestOf(hashes.sha256, concat(new TextEncoder().encode(tag), ak, ek)),
  hostNonce: ({ message }) => digestOf(hashes.sha256, message),
}

interface QuoteOfKey {
  readonly quote: QuoteParts
  /** TPM2B_PUBLIC */
  readonly key: Uint8Array
  readonly nonce: Uint8Array
}

const HASHES = ['sha256', 'sha384', 'sha512']
const SCHEMES = ['rsassa', 'rsapss', 'ecdsa']

/** Checks a quote of which neither algorithms nor PCRs were agreed: it may be over any, by the scheme of its key. */
export function checkQuoteOfKey(
  { quote: { message, signature, pcrBlob }, key, nonce }: QuoteOfKey,
  checks: readonly Check<QuoteCase>[],
): readonly Finding[] {
  const hashAlgorithm = hashOf(signature)
  const input: QuoteInput = {
    ...{ attestationKey: key, nonce, hashAlgorithm },
    ...{ acceptedHashes: HASHES, acceptedSchemes: SCHEMES },
    requestedPcrs: { bank: hashAlgorithm, pcrs: [] },
    quote: { message, signature, claimed: { form: 'blob', bytes: pcrBlob } },
  }
  return evaluateQuote(input, checks).findings
}

/** The hash that a signature names; sha256 where it cannot be read, which a check of its own reports. */
function hashOf(signature: Uint8Array): string {
  const { value } = attempt(TPMT_SIGNATURE, signature)
  return hashById(value?.value.hash ?? 0)?.name ?? hashes.sha256.name
}
