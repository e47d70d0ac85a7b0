import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.time-attestation',
  title: 'The verifier rejects a TIME attestation in place of the quote',
  requirements: ['ATT-QUOTE-IS-QUOTE', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    const seen = await agent.attest({ attestation: 'time' }) // the defect: TPM2_GetTime by the same key
    check('ATT-QUOTE-IS-QUOTE', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
    check('ATT-REASON-BROKEN', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('broken_evidence_chain')
  },
})
