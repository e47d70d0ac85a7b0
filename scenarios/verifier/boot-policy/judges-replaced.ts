import { attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'
import { POLICED_BOOT, storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.judges-replaced',
  title: 'The verifier evaluates a later agent by the new content of a replaced boot policy',
  requirements: ['VER-ADD-BOOT-POLICY-NAMED-JUDGES'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log', 'uefi_log', 'measured_boot', 'boot_policy_names'],
  variantOf: 'verifier.boot-policy.judges',
  async run(context) {
    const { verifier, machines, check, notApplicable } = context
    const { name, call } = await storeBootPolicy(context, POLICED_BOOT.policy)
    const evaluation = async () => {
      const agent = await machines.lightAgent({
        ...{ measuredBoot: true, bootPolicy: null, bootPolicyName: name },
        until: 'activated',
      })
      await agent.machine.play(POLICED_BOOT.script)
      await agent.enrol()
      await agent.logIn()
      return attributes(await agent.attest(), 'evaluation')
    }
    check('VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'evaluation by the first content')
      .of(await evaluation())
      .is('pass')
    const body = { mb_policy: JSON.stringify(POLICED_BOOT.otherPolicy) } // the defect
    const replaced = await verifier.call('update-boot-policy', { ...call, body })
    if (isRefusal(replaced)) notApplicable('a boot policy in use is not replaced here')
    check('VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'evaluation by the content that replaced it')
      .of(await evaluation())
      .is('fail')
  },
})
