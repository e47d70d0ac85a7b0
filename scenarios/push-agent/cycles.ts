import { scenario } from '../../conformance/scenario.ts'
import { CYCLE_REQUIREMENTS, checkCycles } from './support/check-cycles.ts'

export default scenario({
  id: 'push-agent.cycles',
  title: 'A push agent repeats negotiation, evidence and delay, and listens on no port',
  requirements: [...CYCLE_REQUIREMENTS],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkCycles(context, await context.pushAgents.recording())
  },
})
