import { scenario } from '../../conformance/scenario.ts'
import { CAPABILITY_REQUIREMENTS, checkCapabilities } from './support/check-capabilities.ts'
import { checkQuotes, QUOTE_REQUIREMENTS } from './support/check-evidence.ts'
import { checkProofs, PROOF_REQUIREMENTS } from './support/check-session.ts'

export default scenario({
  id: 'push-agent.other-algorithms',
  title: 'A push agent with other algorithms offers them, and quotes with them',
  requirements: [...CAPABILITY_REQUIREMENTS, ...PROOF_REQUIREMENTS, ...QUOTE_REQUIREMENTS],
  role: 'push_agent',
  seconds: 3,
  since: '3.0',
  variantOf: 'push-agent.capabilities',
  async run(context) {
    const agent = await context.pushAgents.start({ ending: 'otherAlgorithms' }) // the difference
    await agent.took('evidence', 2)
    checkCapabilities(context, agent)
    checkProofs(context, agent)
    await checkQuotes(context, agent)
  },
})
