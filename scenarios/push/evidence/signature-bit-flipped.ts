import { flipBit, scenario } from '../../../conformance/scenario.ts'
import { checkFailed } from '../support/check-failed.ts'

export default scenario({
  id: 'push.evidence.signature-bit-flipped',
  title: 'The verifier rejects a signature with one flipped bit',
  requirements: ['ATT-SIGNATURE-VERIFIED', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    const seen = await agent.attest({ signature: (bytes) => flipBit(bytes, -1000) }) // the defect
    checkFailed(check, seen, ['ATT-SIGNATURE-VERIFIED', 'ATT-REASON-BROKEN'])
  },
})
