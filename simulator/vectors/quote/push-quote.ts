import { toHex } from '../../tpm/write.ts'
import type { Evidence, Json, JsonObject } from '../form.ts'
import type { BankValues } from './attest-overrides.ts'
import { base64, type SoftQuote } from './soft-quote.ts'

/** The three members of a tpm_quote as a push agent sends them. */
interface PushQuote {
  readonly [member: string]: Json
  readonly message: string
  readonly signature: string
  readonly subject_data: Json
}

/** `subject_data` of these values: PCR number -> value in hexadecimal. */
export function subjectData({ values }: BankValues): JsonObject {
  return Object.fromEntries([...values].map(([pcr, value]) => [String(pcr), toHex(value)]))
}

export function pushQuote({ bytes }: SoftQuote, required: BankValues): PushQuote {
  const { message, signature } = bytes
  return {
    message: base64(message),
    signature: base64(signature),
    subject_data: subjectData(required),
  }
}

/** Returns the same evidence as a push agent sends it. */
export function pushEvidence(baseline: SoftQuote, required: BankValues): Evidence {
  const { quote: _, ...members } = baseline.evidence
  return { ...members, push: pushQuote(baseline, required) }
}
