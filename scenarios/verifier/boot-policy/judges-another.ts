import { attributes, scenario } from '../../../conformance/scenario.ts'
import { POLICED_BOOT, storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.judges-another',
  title: 'The verifier fails an agent whose boot violates its named boot policy',
  requirements: ['VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'ATT-REASON-POLICY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log', 'uefi_log', 'measured_boot', 'boot_policy_names'],
  variantOf: 'verifier.boot-policy.judges',
  async run(context) {
    const { machines, check } = context
    const { name } = await storeBootPolicy(context, POLICED_BOOT.otherPolicy) // the defect
    const agent = await machines.pushAgent({
      ...{ measuredBoot: true, bootPolicy: null, bootPolicyName: name },
      script: POLICED_BOOT.script,
    })
    const seen = await agent.attest()
    check('VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    check('ATT-REASON-POLICY', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('policy_violation')
  },
})
