import { attributes, scenario } from '../../../conformance/scenario.ts'
import { lastsAsConfigured, lifetimeOf } from '../support/engine.ts'

/** The part of the challenge's lifetime after which the proof is sent. */
const LATER = 0.6

export default scenario({
  id: 'session.proof-in-time',
  title: 'The verifier accepts a proof shortly before its challenge expires',
  requirements: ['SES-DEADLINE', 'SES-PASS-EVALUATION'],
  role: 'verifier',
  since: '3.0',
  settings: 'short_lifetimes',
  seconds: 4,
  variantOf: 'session.proof-accepted',
  async run({ machines, check, elapse, lifetimes }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const proof = await agent.makeProof(session)
    const lifetime = lifetimeOf(session, 'created_at', 'challenges_expire_at')
    if (lifetimes.sessionChallenge !== undefined)
      check('SES-DEADLINE', 'milliseconds until challenges_expire_at')
        .of(lifetime)
        .matches(...lastsAsConfigured(lifetimes.sessionChallenge))
    await elapse(lifetime * LATER, 'most of the lifetime of a session challenge is')
    check('SES-PASS-EVALUATION', 'evaluation')
      .of(attributes(await agent.sendProof(proof), 'evaluation'))
      .is('pass')
  },
})
