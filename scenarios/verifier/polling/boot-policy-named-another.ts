import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf, POLICED_BOOT, storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.boot-policy-named-another',
  title: 'The verifier fails a pull agent whose boot violates its named boot policy',
  requirements: ['VER-ADD-BOOT-POLICY-NAMED-JUDGES'],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode', 'ima_log', 'uefi_log', 'measured_boot', 'boot_policy_names'],
  variantOf: 'verifier.polling.boot-policy-named',
  async run(context) {
    const { machines, check } = context
    const { name } = await storeBootPolicy(context, POLICED_BOOT.otherPolicy) // the defect
    const agent = await machines.pullAgent({
      ...{ measuredBoot: true, bootPolicy: null, bootPolicyName: name },
      boots: POLICED_BOOT.script,
    })
    const record = await agent.recordOnce((one) => results(one, 'attestation_status') === 'FAIL')
    const named = check('VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'attestation_status')
    named.of(results(record, 'attestation_status')).is('FAIL')
    check('VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'attestation_count').of(countOf(record)).is(0)
  },
})
