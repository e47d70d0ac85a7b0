import { REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.token-after-another-key',
  title: 'The verifier ends a token when its agent is enrolled with another key',
  requirements: ['SES-TOKEN-ENDS-REENROLLED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.beside-another-agent',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent()
    const other = await machines.pushAgent({ until: 'activated' })
    await verifier.deleteAgent(agent.id)
    await other.enrol({}, agent.id) // the defect
    check('SES-TOKEN-ENDS-REENROLLED', 'capabilities POST with the token of the old key')
      .of(await agent.offer(agent.credentials))
      .matches(...REFUSED)
  },
})
