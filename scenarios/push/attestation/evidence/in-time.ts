import { attributes, type Context, scenario } from '../../../../conformance/scenario.ts'
import { lastsAsConfigured, liesBetween, millisecondsBetween } from '../../support/engine.ts'

type Agent = Awaited<ReturnType<Context['machines']['softAgent']>>

const ATTEMPTS = 4

export default scenario({
  id: 'push.attestation.evidence-in-time',
  title: 'The verifier passes evidence that comes before its challenge expires',
  requirements: ['ATT-DEADLINE', 'ATT-TIMES-APART', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  settings: 'short_lifetimes',
  seconds: 3,
  variantOf: 'push.evidence.accepted',
  async run(context) {
    const { machines, check, lifetimes } = context
    const agent = await machines.softAgent()
    let sent = await submitHalfway(context, agent)
    // A busy machine may take longer for the request than the challenge lives.
    for (let more = ATTEMPTS - 1; more > 0 && sent.took >= sent.lifetime; more -= 1)
      sent = await submitHalfway(context, agent)
    const { negotiation, submitted, lifetime, waited, took } = sent
    if (lifetimes.challenge !== undefined)
      check('ATT-DEADLINE', 'milliseconds until challenges_expire_at')
        .of(lifetime)
        .matches(...lastsAsConfigured(lifetimes.challenge))
    check('ATT-TIMES-APART', 'milliseconds from capabilities_received_at to evidence_received_at')
      .measured(millisecondsBetween(submitted, 'capabilities_received_at', 'evidence_received_at'))
      .matches(...liesBetween(waited, took))
    check('ATT-EVALUATION-PASS', 'evaluation')
      .of(attributes(await agent.verdict(negotiation), 'evaluation'))
      .is('pass')
  },
})

/** Sends evidence after half the lifetime of its challenge. Times are milliseconds on the clock of the harness. */
async function submitHalfway({ elapse, now }: Context, agent: Agent) {
  const before = now()
  const negotiation = await agent.negotiate()
  const offered = now()
  const { reply } = negotiation
  const lifetime = millisecondsBetween(reply, 'capabilities_received_at', 'challenges_expire_at')
  await elapse(lifetime / 2, 'half the lifetime of a challenge is')
  const waited = now() - offered
  const submitted = await agent.submit(negotiation)
  return { negotiation, submitted, lifetime, waited, took: now() - before }
}
