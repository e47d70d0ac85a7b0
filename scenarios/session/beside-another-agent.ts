import { scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'session.beside-another-agent',
  title: 'The verifier keeps a token valid while another agent opens and completes sessions',
  requirements: ['SES-TOKEN-NOT-ENDED-BY-OTHERS', 'SES-TOKEN-LATER-REQUESTS'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    check('SES-TOKEN-LATER-REQUESTS', 'HTTP status of a first request')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    const other = await machines.pushAgent()
    await other.logIn()
    check('SES-TOKEN-NOT-ENDED-BY-OTHERS', 'HTTP status of a request after that')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    check('SES-TOKEN-LATER-REQUESTS', 'HTTP status of a last request')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
  },
})
