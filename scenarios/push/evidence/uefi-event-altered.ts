import { attributes, scenario } from '../../../conformance/scenario.ts'
import { alterLastUefiDigest } from '../support/engine.ts'

export default scenario({
  id: 'push.evidence.uefi-event-altered',
  title: 'The verifier rejects a firmware log with an altered digest',
  requirements: ['ATT-UEFI-REPLAYS', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log', 'uefi_log'],
  variantOf: 'push.evidence.uefi-log-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ measuredBoot: true })
    const seen = await agent.attest({ uefiLog: (log) => alterLastUefiDigest(log, 'sha256') }) // the defect
    check('ATT-UEFI-REPLAYS', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
    check('ATT-REASON-BROKEN', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('broken_evidence_chain')
  },
})
