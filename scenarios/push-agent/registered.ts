import { checkPushRegistration, PUSH_REGISTRATION, scenario } from '../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.registered',
  title: 'A push agent registers the keys of its TPM first, and answers the challenge',
  requirements: [...PUSH_REGISTRATION],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkPushRegistration(context, await context.pushAgents.story())
  },
})
