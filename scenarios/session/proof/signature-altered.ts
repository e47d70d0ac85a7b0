import { flipBit, scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-signature-altered',
  title: 'The verifier issues no token for a proof with one flipped signature bit',
  requirements: ['SES-PROOF-SIGNATURE'],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const proven = await agent.proveSession(session, { signature: (bytes) => flipBit(bytes, -1) }) // the defect
    check('SES-PROOF-SIGNATURE', 'answer to the proof')
      .of(proven)
      .matches(...NO_TOKEN)
  },
})
