import { at, attributes, listOf, scenario } from '../../../conformance/scenario.ts'
import { collectEvidence } from '../support/engine.ts'

/** A list of some 300 KB. */
const FILES = 800

export default scenario({
  id: 'push.attestation.kept',
  title: 'The verifier stores offers, requests and evidence unchanged',
  requirements: [
    'ATT-SYSTEM-INFO-KEPT',
    'ATT-READ-FULL-EVIDENCE',
    'ATT-KEPT-CHALLENGE-SAME',
    'ATT-KEPT-CAPABILITIES-SAME',
    'ATT-KEPT-DATA-SAME',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, random, check }) {
    const agent = await machines.lightAgent({ entries: 5, until: 'activated' })
    for (let file = 0; file < FILES; file++)
      await agent.machine.measure(`/${'d'.repeat(250)}/${file}`, random.bytes(32))
    await agent.enrol()
    await agent.logIn()
    const offered = at(agent.capabilities(), 'data', 'attributes')
    const negotiation = await agent.negotiate()
    const instant = (info: unknown) => Date.parse(String(at(info, 'boot_time')))
    check('ATT-SYSTEM-INFO-KEPT', 'boot_time of the answer, in milliseconds')
      .of(instant(attributes(negotiation.reply, 'system_info')))
      .is(instant(at(offered, 'system_info')))
    const body = await collectEvidence(agent.machine, negotiation, {}, verifier.dialect)
    const params = { agent_id: agent.id, index: negotiation.index }
    await verifier.call('submit', { as: agent.credentials, params, body })
    await agent.verdict(negotiation)
    const sent = listOf(at(body, 'data', 'attributes', 'evidence_collected')) ?? []
    const read = await verifier.attestation(agent.id, negotiation.index)
    const kept = listOf(attributes(read, 'evidence')) ?? []
    const quote = kept.find((item) => at(item, 'evidence_type') === 'tpm_quote')
    check('ATT-KEPT-CHALLENGE-SAME', 'challenge that is kept')
      .of(at(quote, 'chosen_parameters', 'challenge'))
      .is(at(negotiation.requested, 0, 'chosen_parameters', 'challenge'))
    for (const item of kept) {
      const isSame = (other: unknown) => at(other, 'evidence_type') === at(item, 'evidence_type')
      const offer = listOf(at(offered, 'evidence_supported'))?.find(isSame)
      check('ATT-KEPT-CAPABILITIES-SAME', `capabilities of ${at(item, 'evidence_type')}`)
        .of(membersOf(at(item, 'capabilities'), at(offer, 'capabilities')))
        .is(at(offer, 'capabilities'))
      check('ATT-READ-FULL-EVIDENCE', `whether ${at(item, 'evidence_type')} has data`)
        .of(Object.keys(Object(at(item, 'data'))).length > 0)
        .is(true)
    }
    for (const item of sent) {
      const isSame = (other: unknown) => at(other, 'evidence_type') === at(item, 'evidence_type')
      check('ATT-KEPT-DATA-SAME', `data of ${at(item, 'evidence_type')}`)
        .of(membersOf(at(kept.find(isSame), 'data'), at(item, 'data')))
        .is(at(item, 'data'))
    }
  },
})

/** The members that were sent; a verifier may add its own. */
function membersOf(kept: unknown, sent: unknown): unknown {
  return Object.fromEntries(Object.keys(Object(sent)).map((name) => [name, at(kept, name)]))
}
