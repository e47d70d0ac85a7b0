import { scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-magic-altered',
  title: 'The verifier rejects a proof without TPM_GENERATED_VALUE',
  requirements: ['SES-PROOF-MAGIC'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-by-soft-key',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ softKeys: true, until: 'enrolled' })
    const session = await agent.openSession()
    const proven = await agent.proveSession(session, {
      attest: (attest) => ({ ...attest, magic: 0 }),
    }) // the defect
    check('SES-PROOF-MAGIC', 'answer to the proof')
      .of(proven)
      .matches(...NO_TOKEN)
  },
})
