import { attributes, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'session.beside-another-agent',
  title:
    'The verifier keeps a token and a challenge valid while another agent opens and completes sessions, and is deleted',
  requirements: [
    ...['SES-TOKEN-NOT-ENDED-BY-OTHERS', 'SES-TOKEN-LATER-REQUESTS'],
    'SES-PASS-EVALUATION',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent()
    check('SES-TOKEN-LATER-REQUESTS', 'HTTP status of a first request')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    const other = await machines.pushAgent()
    await other.logIn()
    check('SES-TOKEN-NOT-ENDED-BY-OTHERS', 'HTTP status of a request after that')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    const proof = await agent.makeProof(await agent.openSession())
    await verifier.deleteAgent(other.id)
    check('SES-TOKEN-LATER-REQUESTS', 'HTTP status of a request after the other agent was deleted')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    check('SES-PASS-EVALUATION', 'evaluation of a proof whose session was open meanwhile')
      .of(attributes(await agent.sendProof(proof), 'evaluation'))
      .is('pass')
  },
})
