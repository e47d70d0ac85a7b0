import { attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.list-empty',
  title: 'The verifier does not pass an empty measurement list with an extended PCR 10',
  requirements: ['ATT-IMA-EMPTY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    const negotiation = await agent.negotiate()
    const reply = await agent.submit(negotiation, { imaList: () => new Uint8Array() }) // the defect
    const outcome = isRefusal(reply)
      ? 'refused'
      : attributes(await agent.verdict(negotiation), 'evaluation')
    check('ATT-IMA-EMPTY', 'outcome of the evidence').of(outcome).isOneOf(['refused', 'fail'])
  },
})
