import { scenario } from '../../../conformance/scenario.ts'
import { checkQuotes, QUOTE_REQUIREMENTS } from '../support/check-evidence.ts'

export default scenario({
  id: 'push-agent.evidence.quote',
  title:
    'The quote of a push agent is of the chosen PCRs, by the registered key, over the challenge, and true',
  requirements: [...QUOTE_REQUIREMENTS],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    await checkQuotes(context, await context.pushAgents.recording())
  },
})
