import { attributes, scenario } from '../../../conformance/scenario.ts'
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
    const failed = check('ATT-PCRS-COVERED', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    if (failed)
      check('ATT-REASON-BROKEN', 'failure_reason')
        .of(attributes(seen, 'failure_reason'))
        .is('broken_evidence_chain')
  },
})
