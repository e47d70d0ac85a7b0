import { attributes, scenario } from '../../../conformance/scenario.ts'
import { restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'session.after-restart.proof-fresh',
  title: 'The verifier issues a new token to an agent after a restart',
  requirements: ['SES-PASS-EVALUATION', 'SES-PASS-TOKEN'],
  role: 'verifier',
  since: '3.0',
  alone: true,
  async run(context) {
    const { machines, check } = context
    const agent = await machines.pushAgent({ until: 'enrolled' })
    await agent.sendProof(await agent.makeProof(await agent.openSession()))
    await restartVerifier(context)
    const proven = await agent.sendProof(await agent.makeProof(await agent.openSession()))
    check('SES-PASS-EVALUATION', 'evaluation').of(attributes(proven, 'evaluation')).is('pass')
    check('SES-PASS-TOKEN', 'type of token')
      .of(typeof attributes(proven, 'token'))
      .is('string')
  },
})
