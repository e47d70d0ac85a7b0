import { checkPushTokens, PUSH_TOKEN, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.token.used',
  title: 'A push agent sends its token in each request to the verifier, and to no other server',
  requirements: [...PUSH_TOKEN],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkPushTokens(context, await context.pushAgents.story())
  },
})
