import { eccAttester } from '../../machine/soft-attester.ts'
import { bankValues } from './attest-overrides.ts'
import { softQuote } from './soft-quote.ts'

export const attester = eccAttester('adversarial')
const sha256 = bankValues('sha256', [0, 23])

/** PCR 0 and 23 of the SHA-256 bank, since a quote of PCR 10 requires a measurement list. */
export const soft = softQuote(attester, [sha256])

/** Two banks in one quote; the policy covers the second. */
export const banks = softQuote(attester, [bankValues('sha1', [23]), sha256], sha256)
