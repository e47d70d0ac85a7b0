import { attributes, scenario } from '../../../conformance/scenario.ts'
import { POLICED_BOOT, storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.judges',
  title: 'The verifier passes an agent whose boot satisfies its named boot policy',
  requirements: ['VER-ADD-BOOT-POLICY-NAMED-JUDGES'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log', 'uefi_log', 'measured_boot', 'boot_policy_names'],
  async run(context) {
    const { machines, check } = context
    const { name } = await storeBootPolicy(context, POLICED_BOOT.policy)
    const agent = await machines.pushAgent({
      ...{ measuredBoot: true, bootPolicy: null, bootPolicyName: name },
      script: POLICED_BOOT.script,
    })
    const seen = await agent.attest()
    check('VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('pass')
  },
})
