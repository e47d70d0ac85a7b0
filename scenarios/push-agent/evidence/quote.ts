import { checkPushQuotes, PUSH_QUOTE, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.evidence.quote',
  title:
    'The quote of a push agent is of the chosen PCRs, by the registered key, over the challenge, and true',
  requirements: [...PUSH_QUOTE],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    await checkPushQuotes(context, await context.pushAgents.story())
  },
})
