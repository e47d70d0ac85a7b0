import { results, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce } from '../support/engine.ts'

export default scenario({
  id: 'pull-agent.quote.fresh',
  title: 'A pull agent creates each quote on request, even for a repeated nonce',
  requirements: [...quoteRequirements('IDENTITY'), 'AGT-QUOTE-FRESH'],
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
  },
})
