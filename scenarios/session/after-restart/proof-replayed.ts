import { attributes, scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN, restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'session.after-restart.proof-replayed',
  title: 'The verifier issues no token for a proof used before its restart',
  requirements: ['SES-PASS-EVALUATION', 'SES-PROOF-REPLAYED'],
  role: 'verifier',
  since: '3.0',
  alone: true,
  variantOf: 'session.after-restart.proof-fresh',
  async run(context) {
    const { machines, check } = context
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const proof = await agent.makeProof(await agent.openSession())
    const proven = await agent.sendProof(proof)
    check('SES-PASS-EVALUATION', 'evaluation').of(attributes(proven, 'evaluation')).is('pass')
    await restartVerifier(context)
    const again = await agent.sendProof(proof) // the defect
    check('SES-PROOF-REPLAYED', 'the same proof after the restart')
      .of(again)
      .matches(...NO_TOKEN)
  },
})
