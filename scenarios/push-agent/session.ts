import { scenario } from '../../conformance/scenario.ts'
import { checkOpening, checkProofs, SESSION_REQUIREMENTS } from './support/check-session.ts'

export default scenario({
  id: 'push-agent.session',
  title: 'A push agent opens a session and proves possession of the registered key',
  requirements: [...SESSION_REQUIREMENTS],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    const recording = await context.pushAgents.recording()
    checkOpening(context, recording)
    checkProofs(context, recording)
  },
})
