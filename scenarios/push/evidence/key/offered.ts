import { attributes, isRefusal, isSuccess, scenario } from '../../../../conformance/scenario.ts'
import { collectEvidence } from '../../support/engine.ts'

export default scenario({
  id: 'push.evidence.key-offered',
  title: 'The verifier passes no quote by another key that the agent offers than the enrolled one',
  requirements: ['ATT-SIGNATURE-OTHER-AGENT'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ verifier, machines, check }) {
    const agent = await machines.lightAgent()
    const other = await machines.lightAgent({ until: 'booted' })
    const as = agent.credentials
    const params = { agent_id: agent.id }
    const body = other.capabilities() // the defect: they name the key of the other machine
    const offered = await verifier.call('negotiate', { params, body, as })
    if (!isSuccess(offered)) {
      check('ATT-SIGNATURE-OTHER-AGENT', 'the offer of the key of another machine')
        .of(offered)
        .matches('a refusal', isRefusal)
      return
    }
    const negotiation = agent.negotiationIn(offered)
    const { index } = negotiation
    const evidence = await collectEvidence(other.machine, negotiation, {}, verifier.dialect)
    await verifier.call('submit', { params: { ...params, index }, body: evidence, as })
    check('ATT-SIGNATURE-OTHER-AGENT', 'evaluation of a quote by the offered key')
      .of(attributes(await agent.verdict(negotiation), 'evaluation'))
      .is('fail')
  },
})
