import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, countOf, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.after-a-poll',
  title:
    'The verifier checks an identity quote by the hash algorithm of the query, not of the last poll',
  requirements: ['VER-IDENTITY-GOOD', 'VER-IDENTITY-HASH-MISMATCH'],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode'],
  variantOf: 'verifier.identity.valid',
  async run({ machines, verifier, check }) {
    const { id, machine, recordOnce } = await machines.pullAgent()
    await recordOnce((one) => countOf(one) >= 1)
    const quote = await identityQuote(machine, NONCE)
    const identity = async (hash_alg: string) => {
      const query = { agent_uuid: id, nonce: NONCE, quote, hash_alg }
      return answerIn(await verifier.verifyIdentity(query))
    }
    check('VER-IDENTITY-GOOD', 'valid of a quote in SHA-256')
      .of(await identity('sha256'))
      .is(true)
    check('VER-IDENTITY-HASH-MISMATCH', 'valid of that quote as one in SHA-384')
      .of(await identity('sha384'))
      .matches(...NOT_VALID)
  },
})
