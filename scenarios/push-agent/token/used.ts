import { checkPushTokens, PUSH_TOKEN, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.token.used',
  title: 'A push agent shows its token in each request of the verifier, and to nobody else',
  requirements: [...PUSH_TOKEN],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkPushTokens(context, await context.pushAgents.story())
  },
})
