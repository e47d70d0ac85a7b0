import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf, POLICED_BOOT, storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.boot-policy-named',
  title: 'The verifier passes a pull agent whose boot satisfies its named boot policy',
  requirements: ['VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'VER-STATUS-HAS-BOOT'],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode', 'ima_log', 'uefi_log', 'measured_boot', 'boot_policy_names'],
  async run(context) {
    const { machines, verifier, check } = context
    const { name } = await storeBootPolicy(context, POLICED_BOOT.policy)
    const agent = await machines.pullAgent({
      ...{ measuredBoot: true, bootPolicy: null, bootPolicyName: name },
      boots: POLICED_BOOT.script,
    })
    check('VER-STATUS-HAS-BOOT', 'has_mb_refstate')
      .of(results(await verifier.readAgent(agent.id), 'has_mb_refstate'))
      .is(1)
    const record = await agent.recordOnce((one) => countOf(one) >= 1)
    check('VER-ADD-BOOT-POLICY-NAMED-JUDGES', 'attestation_count')
      .of(countOf(record))
      .matches('at least 1', (count) => count >= 1)
  },
})
