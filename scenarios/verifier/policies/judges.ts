import { attributes, scenario } from '../../../conformance/scenario.ts'
import { storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.judges',
  title: 'The verifier evaluates an agent by its named policy, and by its own PCR policy too',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES', 'VER-CHECKS-PCRS'],
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
    const other = await machines.lightAgent({ until: 'activated' })
    const tpm_policy = JSON.stringify({ 23: ['f'.repeat(64)], mask: '0x800000' }) // the defect
    await other.enrol({ runtime_policy_name: name, runtime_policy: '', tpm_policy })
    await other.logIn()
    check('VER-CHECKS-PCRS', 'evaluation with a PCR that its own policy does not allow')
      .of(attributes(await other.attest(), 'evaluation'))
      .is('fail')
  },
})
