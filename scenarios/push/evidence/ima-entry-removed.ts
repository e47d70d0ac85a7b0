import { attributes, cutLines, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'push.evidence.ima-entry-removed',
  title: 'A measurement list without its third entry breaks the evidence chain',
  requirements: ['ATT-IMA-REPLAYS', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    const negotiation = await agent.negotiate()
    const answer = await agent.submit(negotiation, { imaList: (list) => cutLines(list, 2, 1) }) // the defect
    if (answer.status !== 202) {
      check('ATT-IMA-REPLAYS', 'a list shorter than offered').of(answer.status).isOneOf([400, 422])
      return
    }
    const seen = await agent.verdict(negotiation)
    check('ATT-IMA-REPLAYS', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
    check('ATT-REASON-BROKEN', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('broken_evidence_chain')
  },
})
