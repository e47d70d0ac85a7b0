import { attributes, scenario } from '../../../conformance/scenario.ts'
import { storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.judges-a-file',
  title: 'The verifier fails an agent with a file missing from its named policy',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES', 'ATT-REASON-POLICY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.judges',
  async run(context) {
    const { machines, check } = context
    const { name } = await storeRuntimePolicy(context)
    const agent = await machines.pushAgent({ until: 'activated' })
    await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
    await agent.logIn()
    await agent.machine.play('measure /usr/bin/not-in-policy') // the defect
    const seen = await agent.attest()
    check('VER-ADD-POLICY-LOADED-JUDGES', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    check('ATT-REASON-POLICY', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('policy_violation')
  },
})
