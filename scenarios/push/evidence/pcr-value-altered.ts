import { scenario } from '../../../conformance/scenario.ts'
import { checkFailed } from '../support/check-failed.ts'
import { alterPcr } from '../support/engine.ts'

export default scenario({
  id: 'push.evidence.pcr-value-altered',
  title: 'The verifier rejects a PCR value other than the quoted one',
  requirements: ['ATT-PCRS-COVERED', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  variantOf: 'push.evidence.quote-alone',
  async run({ machines, check }) {
    // No replay of a log covers the value: only the digest in the quote does.
    const agent = await machines.pushAgent({ measured: false })
    const seen = await agent.attest({ subjects: alterPcr }) // the defect
    checkFailed(check, seen, ['ATT-PCRS-COVERED', 'ATT-REASON-BROKEN'])
  },
})
