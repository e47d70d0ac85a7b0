import { attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'
import { millisecondsBetween } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-late',
  title: 'The verifier issues no token for a valid proof of an expired challenge',
  requirements: ['SES-PROOF-LATE', 'SES-PROOF-LATE-NO-TOKEN'],
  role: 'verifier',
  since: '3.0',
  settings: 'short_lifetimes',
  seconds: 6,
  variantOf: 'session.proof-in-time',
  async run({ machines, check, elapse, observe }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const proof = await agent.makeProof(session)
    const lifetime = millisecondsBetween(session, 'created_at', 'challenges_expire_at')
    await elapse(lifetime, 'the challenge of a session lives for') // the defect
    const proven = await agent.sendProof(proof)
    check('SES-PROOF-LATE-NO-TOKEN', 'token')
      .of(attributes(proven, 'token') ?? null)
      .is(null)
    check('SES-PROOF-LATE', 'answer to the proof')
      .of(proven)
      .meets({
        'an HTTP error': isRefusal,
        fail: (reply) => attributes(reply, 'evaluation') === 'fail',
      })
    observe('EXPEFFECT', 'HTTP status of a late proof', proven.status)
  },
})
