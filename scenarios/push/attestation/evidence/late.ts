import { attributes, isRefusal, scenario } from '../../../../conformance/scenario.ts'
import { millisecondsBetween } from '../../support/engine.ts'

export default scenario({
  id: 'push.attestation.evidence-late',
  title: 'The verifier does not pass valid evidence for an expired challenge',
  requirements: ['ATT-SUBMIT-LATE', 'ATT-SUBMIT-LATE-NO-PASS', 'ATT-CREATE-STATUS'],
  role: 'verifier',
  since: '3.0',
  settings: 'short_lifetimes',
  seconds: 4,
  variantOf: 'push.attestation.evidence-in-time',
  async run({ machines, check, elapse, observe }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const lifetime = millisecondsBetween(
      negotiation.reply,
      'capabilities_received_at',
      'challenges_expire_at',
    )
    await elapse(lifetime, 'the challenge of an attestation lives for') // the defect
    await agent.logIn()
    const outcomes: unknown[] = []
    for (const path of ['latest', negotiation.index]) {
      const late = await agent.submit(negotiation, {}, path)
      observe('EXPEFFECT', `HTTP status of late evidence to ${path}`, late.status)
      const outcome = isRefusal(late)
        ? 'refused'
        : attributes(await agent.verdict(negotiation), 'evaluation')
      outcomes.push(outcome)
      const what = `outcome of late evidence to ${path}`
      check('ATT-SUBMIT-LATE-NO-PASS', what).of(outcome).isNot('pass')
      check('ATT-SUBMIT-LATE', what)
        .of(outcome)
        .meets({
          refused: (seen) => seen === 'refused',
          'accepted and failed': (seen) => seen === 'fail',
        })
    }
    // A failure may stop an agent (ambiguity FAILFLAG).
    if (outcomes.includes('fail')) return
    check('ATT-CREATE-STATUS', 'HTTP status of capabilities after a challenge that expired')
      .of((await agent.offerInTurn()).status)
      .is(201)
  },
})
