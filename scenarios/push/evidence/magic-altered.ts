import { scenario } from '../../../conformance/scenario.ts'
import { checkFailed } from '../support/check-failed.ts'

export default scenario({
  id: 'push.evidence.magic-altered',
  title: 'The verifier rejects a signed structure without TPM_GENERATED_VALUE',
  requirements: ['ATT-QUOTE-MAGIC', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ softKeys: true })
    await agent.attest()
    const seen = await agent.attest({ attest: (attest) => ({ ...attest, magic: 0 }) }) // the defect
    checkFailed(check, seen, ['ATT-QUOTE-MAGIC', 'ATT-REASON-BROKEN'])
  },
})
