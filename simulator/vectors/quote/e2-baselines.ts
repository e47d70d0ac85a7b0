import { eccAttester } from '../../machine/soft-attester.ts'
import { bankValues } from './attest-overrides.ts'
import { softQuote } from './soft-quote.ts'

export const attester = eccAttester('adversarial')
const sha256 = bankValues('sha256', [0, 23])

/** PCR 0 and 23 of the SHA-256 bank: what is quoted of PCR 10 wants a measurement list beside it. */
export const soft = softQuote(attester, [sha256])

/** Two banks in one quote, of which the policy judges the second. */
export const banks = softQuote(attester, [bankValues('sha1', [23]), sha256], sha256)
