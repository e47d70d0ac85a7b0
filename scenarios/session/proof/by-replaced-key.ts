import { scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-by-replaced-key',
  title: 'The verifier does not complete a session with a key that was replaced in the meantime',
  requirements: ['SES-PROOF-BY-ENROLLED-KEY'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const other = await machines.pushAgent({ until: 'activated' })
    const proof = await agent.makeProof(await agent.openSession())
    await verifier.deleteAgent(agent.id)
    await other.enrol({}, agent.id) // the defect
    check('SES-PROOF-BY-ENROLLED-KEY', 'a proof by the old key')
      .of(await agent.sendProof(proof))
      .matches(...NO_TOKEN)
  },
})
