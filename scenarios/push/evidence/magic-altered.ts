import { attributes, scenario } from '../../../conformance/scenario.ts'

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
    const failed = check('ATT-QUOTE-MAGIC', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    if (failed)
      check('ATT-REASON-BROKEN', 'failure_reason')
        .of(attributes(seen, 'failure_reason'))
        .is('broken_evidence_chain')
  },
})
