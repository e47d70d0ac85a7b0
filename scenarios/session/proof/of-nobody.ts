import { isSuccess, scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-of-nobody',
  title: 'The verifier issues no token to an unknown agent for a valid proof',
  requirements: ['SES-CREATE-UNKNOWN-AGENT', 'SES-PROOF-BY-ENROLLED-KEY'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'activated' }) // the defect
    const session = await agent.openSession()
    check('SES-CREATE-UNKNOWN-AGENT', 'HTTP status').of(session.status).isOneOf([200, 404])
    const proven = isSuccess(session) ? await agent.proveSession(session) : session
    observe('status', 'HTTP status of a proof by a key that is not enrolled', proven.status)
    check('SES-PROOF-BY-ENROLLED-KEY', 'answer to the proof')
      .of(proven)
      .matches(...NO_TOKEN)
  },
})
