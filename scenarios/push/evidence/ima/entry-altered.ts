import { attributes, scenario } from '../../../../conformance/scenario.ts'
import { replaceBytes } from '../../support/engine.ts'

export default scenario({
  id: 'push.evidence.ima-entry-altered',
  title: 'The verifier rejects a measurement list with an altered entry',
  requirements: ['ATT-IMA-REPLAYS', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    const seen = await agent.attest({
      imaList: (list) => replaceBytes(list, '/mnt/run.sh', '/mnt/bin.sh'), // the defect
    })
    check('ATT-IMA-REPLAYS', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
    check('ATT-REASON-BROKEN', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('broken_evidence_chain')
  },
})
