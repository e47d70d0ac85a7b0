import { attributes, scenario } from '../../../conformance/scenario.ts'
import { lastsAsConfigured, liesBetween, millisecondsBetween } from '../support/engine.ts'

/** The part of the challenge's lifetime after which the proof is sent. */
const LATER = 0.6

export default scenario({
  id: 'session.proof-in-time',
  title: 'The verifier accepts a proof shortly before its challenge expires',
  requirements: ['SES-DEADLINE', 'SES-TIMES-APART', 'SES-PASS-EVALUATION'],
  role: 'verifier',
  since: '3.0',
  settings: 'short_lifetimes',
  seconds: 4,
  variantOf: 'session.proof-accepted',
  async run({ machines, check, elapse, lifetimes, now }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const before = now()
    const session = await agent.openSession()
    const opened = now()
    const proof = await agent.makeProof(session)
    const lifetime = millisecondsBetween(session, 'created_at', 'challenges_expire_at')
    if (lifetimes.sessionChallenge !== undefined)
      check('SES-DEADLINE', 'milliseconds until challenges_expire_at')
        .of(lifetime)
        .matches(...lastsAsConfigured(lifetimes.sessionChallenge))
    await elapse(lifetime * LATER, 'most of the lifetime of a session challenge is')
    const waited = now() - opened
    const proven = await agent.sendProof(proof)
    check('SES-TIMES-APART', 'milliseconds from created_at to response_received_at')
      .measured(millisecondsBetween(proven, 'created_at', 'response_received_at'))
      .matches(...liesBetween(waited, now() - before))
    check('SES-PASS-EVALUATION', 'evaluation').of(attributes(proven, 'evaluation')).is('pass')
  },
})
