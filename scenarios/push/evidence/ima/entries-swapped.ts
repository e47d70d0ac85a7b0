import { attributes, scenario } from '../../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.ima-entries-swapped',
  title: 'The verifier rejects a measurement list with two entries swapped',
  requirements: ['ATT-IMA-REPLAYS', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    await agent.machine.play('fault entries-swapped') // the defect
    const seen = await agent.attest()
    check('ATT-IMA-REPLAYS', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
    check('ATT-REASON-BROKEN', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('broken_evidence_chain')
  },
})
