import { attributes, scenario } from '../../../conformance/scenario.ts'
import { storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.judges',
  title: 'The verifier passes an agent by its named policy',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run(context) {
    const { machines, check } = context
    const { name } = await storeRuntimePolicy(context)
    const agent = await machines.pushAgent({ until: 'activated' })
    await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
    await agent.logIn()
    const seen = await agent.attest()
    check('VER-ADD-POLICY-LOADED-JUDGES', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('pass')
  },
})
