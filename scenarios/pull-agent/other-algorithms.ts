import { scenario } from '../../conformance/scenario.ts'
import { checkNames, NAME_REQUIREMENTS } from './support/check-names.ts'
import { checkQuote, quoteRequirements } from './support/check-quote.ts'
import { freshNonce } from './support/engine.ts'

const PCRS = [0, 10, 23]

export default scenario({
  id: 'pull-agent.other-algorithms',
  title: 'A pull agent with other algorithms quotes with them, and names them',
  requirements: [
    ...NAME_REQUIREMENTS,
    ...quoteRequirements('IDENTITY'),
    ...quoteRequirements('INTEGRITY'),
  ],
  role: 'pull_agent',
  since: '2.4',
  until: '2.5',
  variantOf: 'pull-agent.names',
  async run(context) {
    const { pullAgents, random } = context
    const agent = await pullAgents.fresh({ ending: 'otherAlgorithms' }) // the difference
    await checkNames(context, agent)
    const [nonce, other] = [freshNonce(random), freshNonce(random)]
    const identity = await agent.identity(nonce)
    await checkQuote(context, agent, identity, 'IDENTITY', { nonce })
    const integrity = await agent.integrity({ nonce: other, mask: '0x800401', partial: '0' })
    await checkQuote(context, agent, integrity, 'INTEGRITY', { nonce: other, pcrs: PCRS })
  },
})
