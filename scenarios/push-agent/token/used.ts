import { scenario } from '../../../conformance/scenario.ts'
import { checkTokens, TOKEN_REQUIREMENTS } from '../support/check-token.ts'

export default scenario({
  id: 'push-agent.token.used',
  title: 'A push agent sends its token in each request to the verifier, and to no other server',
  requirements: [...TOKEN_REQUIREMENTS],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkTokens(context, await context.pushAgents.recording())
  },
})
