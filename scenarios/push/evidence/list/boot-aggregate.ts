import { scenario } from '../../../../conformance/scenario.ts'
import { checkFailed } from '../../support/check-failed.ts'

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
    checkFailed(check, seen, ['ATT-RUNTIME-POLICY-JUDGES', 'ATT-REASON-POLICY'])
  },
})
