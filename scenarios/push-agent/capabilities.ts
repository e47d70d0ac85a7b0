import { checkPushCapabilities, PUSH_CAPABILITIES, scenario } from '../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.capabilities',
  title: 'A push agent sends its capabilities in the form of the document',
  requirements: [...PUSH_CAPABILITIES],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkPushCapabilities(context, await context.pushAgents.story())
  },
})
