import { scenario } from '../../conformance/scenario.ts'
import { checkRegistration, REGISTRATION_REQUIREMENTS } from './support/check-registration.ts'

export default scenario({
  id: 'push-agent.registered',
  title: 'A push agent registers the keys of its TPM first, and answers the challenge',
  requirements: [...REGISTRATION_REQUIREMENTS],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkRegistration(context, await context.pushAgents.recording())
  },
})
