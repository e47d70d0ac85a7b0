import { scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-with-a-byte-more',
  title: 'The verifier issues no token for a certification with a trailing signed byte',
  requirements: ['SES-PROOF-NOTHING-AFTER'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-by-soft-key',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ softKeys: true, until: 'enrolled' })
    const session = await agent.openSession()
    const proven = await agent.proveSession(session, {
      attest: (attest) => ({ ...attest, leftover: Uint8Array.of(0) }),
    }) // the defect
    check('SES-PROOF-NOTHING-AFTER', 'answer to the proof')
      .of(proven)
      .matches(...NO_TOKEN)
  },
})
