import { isSuccess, results, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce } from '../support/engine.ts'

/** More than a TPM has room for keys. */
const AT_ONCE = 6

export default scenario({
  id: 'pull-agent.quote.fresh',
  title: 'A pull agent creates each quote on request, for a repeated nonce and for several at once',
  requirements: [...quoteRequirements('IDENTITY'), 'AGT-QUOTE-FRESH', 'AGT-IDENTITY-STATUS'],
  role: 'pull_agent',
  provesFunction: true,
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { pullAgents, random, check } = context
    const agent = await pullAgents.shared()
    const nonce = freshNonce(random)
    const first = await agent.identity(nonce)
    const other = freshNonce(random)
    await checkQuote(context, agent, await agent.identity(other), 'IDENTITY', { nonce: other })
    const again = await agent.identity(nonce)
    await checkQuote(context, agent, again, 'IDENTITY', { nonce })
    check('AGT-QUOTE-FRESH', 'the second quote over the same nonce')
      .of(results(again, 'quote') === results(first, 'quote') ? 'the first one' : 'another one')
      .is('another one')
    const nonces = Array.from({ length: AT_ONCE }, () => freshNonce(random))
    const replies = await Promise.all(nonces.map((one) => agent.identity(one)))
    for (const [at, reply] of replies.entries()) {
      const about = `${at + 1} of ${AT_ONCE} quotes at once`
      check('AGT-IDENTITY-STATUS', about).of(reply.status).is(200)
      if (isSuccess(reply))
        await checkQuote(context, agent, reply, 'IDENTITY', { nonce: nonces[at] ?? '' })
    }
  },
})
