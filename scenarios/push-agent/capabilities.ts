import { scenario } from '../../conformance/scenario.ts'
import { CAPABILITY_REQUIREMENTS, checkCapabilities } from './support/check-capabilities.ts'

export default scenario({
  id: 'push-agent.capabilities',
  title: 'A push agent sends its capabilities in the form of the document',
  requirements: [...CAPABILITY_REQUIREMENTS],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkCapabilities(context, await context.pushAgents.recording())
  },
})
