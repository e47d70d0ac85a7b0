import { attributes, scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-replayed',
  title: 'The verifier issues no second token for the same proof',
  requirements: ['SES-PASS-EVALUATION', 'SES-PROOF-REPLAYED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const proof = await agent.makeProof(await agent.openSession())
    const proven = await agent.sendProof(proof)
    check('SES-PASS-EVALUATION', 'evaluation').of(attributes(proven, 'evaluation')).is('pass')
    const again = await agent.sendProof(proof) // the defect
    check('SES-PROOF-REPLAYED', 'the same proof again')
      .of(again)
      .matches(...NO_TOKEN)
  },
})
