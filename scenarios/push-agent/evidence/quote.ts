import { scenario } from '../../../conformance/scenario.ts'
import { checkQuotes, QUOTE_REQUIREMENTS } from '../support/check-evidence.ts'

export default scenario({
  id: 'push-agent.evidence.quote',
  title: 'A push agent quotes the chosen PCRs with the registered key over the challenge',
  requirements: [...QUOTE_REQUIREMENTS],
  role: 'push_agent',
  provesFunction: true,
  seconds: 5,
  since: '3.0',

  async run(context) {
    await checkQuotes(context, await context.pushAgents.recording())
  },
})
