import { ApiError } from '../../errors.ts'

/** One thing that is asked of a nonce or a challenge. */
export interface TextCheck {
  readonly id: string
  readonly why: string
  readonly holds: (text: string) => boolean
  /** Error text for the client, which does not repeat the value. */
  readonly problem: string
}

/** Bytes of qualifying data that a quote holds with every hash that a TPM may have. */
const LONGEST = 64

const present: TextCheck = {
  id: 'nonce.present',
  why: 'a quote over nothing is as fresh as any other',
  holds: (text) => text !== '',
  problem: 'is empty',
}
const lettersAndDigits: TextCheck = {
  id: 'nonce.letters-and-digits',
  why: 'the quote covers the text itself, so both sides must encode it alike',
  holds: (text) => /^[A-Za-z0-9]*$/.test(text),
  problem: 'takes letters and digits of ASCII only',
}

/**
 * Checks of a nonce (interface document, "Limits"; ambiguity NONCELEN). Verifiers send 20 letters and digits; that
 * is a rule for them, and other lengths are quoted too, up to the limit of a TPM.
 */
export const nonceChecks: readonly TextCheck[] = [
  present,
  lettersAndDigits,
  {
    id: 'nonce.length',
    why: 'a TPM accepts no more',
    holds: (text) => text.length <= LONGEST,
    problem: `is longer than ${LONGEST} characters`,
  },
]

/** Checks of a challenge for K; an HMAC takes any length. */
export const challengeChecks: readonly TextCheck[] = [present, lettersAndDigits]

/** The text, or a refusal that names the query parameter. */
export function checkText(name: string, text: string, checks: readonly TextCheck[]): string {
  const failed = checks.find(({ holds }) => !holds(text))
  if (failed === undefined) return text
  throw new ApiError('malformed_request', `query parameter ${name} ${failed.problem}`)
}
