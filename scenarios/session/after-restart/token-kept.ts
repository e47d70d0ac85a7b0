import { scenario } from '../../../conformance/scenario.ts'
import { restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'session.after-restart.token-kept',
  title: 'The verifier accepts a token from before its restart until the token expires',
  requirements: ['SES-TOKEN-WORKS', 'SES-TOKEN-LATER-REQUESTS'],
  role: 'verifier',
  since: '3.0',
  alone: true,
  variantOf: 'session.after-restart.proof-fresh',
  async run(context) {
    const { verifier, machines, check } = context
    const agent = await machines.pushAgent()
    check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    await restartVerifier(context)
    check('SES-TOKEN-LATER-REQUESTS', 'capabilities POST with the same token after a restart')
      .of((await verifier.patiently(() => agent.offer(agent.credentials))).status)
      .is(201)
  },
})
