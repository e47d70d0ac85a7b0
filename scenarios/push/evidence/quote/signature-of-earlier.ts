import { scenario } from '../../../../conformance/scenario.ts'
import { checkFailed } from '../../support/check-failed.ts'

export default scenario({
  id: 'push.evidence.quote.signature-of-earlier',
  title: 'The verifier rejects a quote with the signature of a quote that it accepted before',
  requirements: ['ATT-SIGNATURE-VERIFIED', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    let earlier: Uint8Array = new Uint8Array()
    await agent.attest({ signature: (bytes) => (earlier = bytes) })
    const seen = await agent.attest({ signature: () => earlier }) // the defect
    checkFailed(check, seen, ['ATT-SIGNATURE-VERIFIED', 'ATT-REASON-BROKEN'])
  },
})
