import { attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'
import { checkFailed } from '../support/check-failed.ts'
import { alterLastUefiDigest } from '../support/engine.ts'

export default scenario({
  id: 'push.evidence.uefi-event-altered',
  title:
    'The verifier rejects a firmware log with an altered digest, and one that ends within an event',
  requirements: ['ATT-UEFI-REPLAYS', 'ATT-REASON-BROKEN', 'ATT-EVIDENCE-BENT'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log', 'uefi_log'],
  variantOf: 'push.evidence.uefi-log-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ measuredBoot: true })
    const seen = await agent.attest({ uefiLog: (log) => alterLastUefiDigest(log, 'sha256') }) // the defect
    checkFailed(check, seen, ['ATT-UEFI-REPLAYS', 'ATT-REASON-BROKEN'])
    const cutting = await machines.lightAgent({ measuredBoot: true })
    const negotiation = await cutting.negotiate()
    const says = 'a firmware log without its last byte'
    const reply = await cutting.submit(negotiation, { says, uefiLog: (log) => log.subarray(0, -1) }) // the defect
    const [refusal, cut] = isRefusal(reply)
      ? ['refused', reply]
      : [undefined, await cutting.verdict(negotiation)]
    check('ATT-EVIDENCE-BENT', `outcome of ${says}`)
      .of(refusal ?? attributes(cut, 'evaluation'))
      .isOneOf(['refused', 'fail'])
    check('ATT-REASON-BROKEN', `failure_reason of ${says}, or a refusal`)
      .of(refusal ?? attributes(cut, 'failure_reason'))
      .isOneOf(['refused', 'broken_evidence_chain'])
  },
})
