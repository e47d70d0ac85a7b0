import { scenario } from '../../conformance/scenario.ts'
import { NO_TOKEN } from './support/engine.ts'

export default scenario({
  id: 'session.unknown-session',
  title: 'The verifier issues no token for a proof of an unknown session',
  requirements: ['SES-UNKNOWN-SESSION', 'SES-UNKNOWN-SESSION-NO-TOKEN'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, random, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const sessionId = random.uuid()
    const proven = await agent.proveSession(await agent.openSession(), { sessionId }) // the defect
    check('SES-UNKNOWN-SESSION', 'HTTP status').of(proven.status).is(404)
    check('SES-UNKNOWN-SESSION-NO-TOKEN', 'answer to the proof')
      .of(proven)
      .matches(...NO_TOKEN)
  },
})
