import { attributes, scenario } from '../../../../conformance/scenario.ts'
import { lastsAsConfigured, liesBetween, millisecondsBetween } from '../../support/engine.ts'

export default scenario({
  id: 'push.attestation.evidence-in-time',
  title: 'The verifier passes evidence that comes before its challenge expires',
  requirements: ['ATT-DEADLINE', 'ATT-TIMES-APART', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  settings: 'short_lifetimes',
  seconds: 3,
  variantOf: 'push.evidence.accepted',
  async run({ machines, check, elapse, lifetimes }) {
    const agent = await machines.softAgent()
    const before = Date.now()
    const negotiation = await agent.negotiate()
    const offered = Date.now()
    const lifetime = millisecondsBetween(
      negotiation.reply,
      'capabilities_received_at',
      'challenges_expire_at',
    )
    if (lifetimes.challenge !== undefined)
      check('ATT-DEADLINE', 'milliseconds until challenges_expire_at')
        .of(lifetime)
        .matches(...lastsAsConfigured(lifetimes.challenge))
    await elapse(lifetime / 2, 'half the lifetime of a challenge is')
    const waited = Date.now() - offered
    const submitted = await agent.submit(negotiation)
    check('ATT-TIMES-APART', 'milliseconds from capabilities_received_at to evidence_received_at')
      .measured(millisecondsBetween(submitted, 'capabilities_received_at', 'evidence_received_at'))
      .matches(...liesBetween(waited, Date.now() - before))
    check('ATT-EVALUATION-PASS', 'evaluation')
      .of(attributes(await agent.verdict(negotiation), 'evaluation'))
      .is('pass')
  },
})
