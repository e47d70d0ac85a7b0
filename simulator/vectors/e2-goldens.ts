import { eccAttester } from '../soft-attester.ts'
import { bankValues } from './attest-knobs.ts'
import { softQuote } from './soft-quote.ts'

export const attester = eccAttester('adversarial')
const sha256 = bankValues('sha256', [0, 10])

/** PCR 0 and 10 of the SHA-256 bank. */
export const soft = softQuote(attester, [sha256])

/** Two banks in one quote, of which the policy judges the second. */
export const banks = softQuote(attester, [bankValues('sha1', [10]), sha256], sha256)
