import { attributes, scenario } from '../../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.list.boot-aggregate',
  title: 'The verifier rejects the entry boot_aggregate if the runtime policy does not list it',
  requirements: ['ATT-RUNTIME-POLICY-JUDGES', 'ATT-REASON-POLICY'],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.path-excluded',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({
      policy: ({ digests, ...accepted }) => {
        const { boot_aggregate: _, ...others } = Object(digests) // the defect
        return { ...accepted, digests: others }
      },
    })
    const seen = await agent.attest()
    const failed = check('ATT-RUNTIME-POLICY-JUDGES', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    if (failed)
      check('ATT-REASON-POLICY', 'failure_reason')
        .of(attributes(seen, 'failure_reason'))
        .is('policy_violation')
  },
})
