import { deepPollsFamily } from './support/deep-polls-family.ts'

/** Polls of an agent with a virtual TPM: right deep quotes, and each fault. */
export default deepPollsFamily('verifier.deep-quotes')
