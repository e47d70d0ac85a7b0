import { scenario } from '../../../conformance/scenario.ts'
import { NO_TOKEN } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-of-another-session',
  title: 'The verifier does not complete a session with a proof for another session of the agent',
  requirements: ['SES-PROOF-OTHER-SESSION'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const { sessionId } = await agent.makeProof(await agent.openSession())
    const proven = await agent.proveSession(session, { sessionId }) // the defect
    check('SES-PROOF-OTHER-SESSION', 'answer of the other session')
      .of(proven)
      .matches(...NO_TOKEN)
  },
})
