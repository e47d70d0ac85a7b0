import { attributes, scenario } from '../../../conformance/scenario.ts'
import { storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.in-use-by-stopped',
  title:
    'The verifier keeps the policy of an agent whose name is deleted while the agent is stopped',
  requirements: ['VER-POLICY-IN-USE-STAYS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.judges',
  async run(context) {
    const { verifier, machines, check, observe } = context
    const { name, call } = await storeRuntimePolicy(context)
    const agent = await machines.pushAgent({ until: 'activated' })
    await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
    await agent.logIn()
    await agent.attest()
    const params = { agent_id: agent.id }
    await verifier.call('stop', { as: verifier.admin, params })
    const deleted = await verifier.call('delete-policy', call) // the defect
    observe('allowlists DELETE', 'status of a policy of a stopped agent', deleted.status)
    await verifier.call('reactivate', { as: verifier.admin, params })
    const begun = await agent.offer(agent.credentials)
    const isTaken = check('VER-POLICY-IN-USE-STAYS', 'capabilities POST after the reactivation')
      .of(begun.status)
      .is(201)
    if (!isTaken) return
    check('VER-POLICY-IN-USE-STAYS', 'evaluation after the reactivation')
      .of(attributes(await agent.attest(), 'evaluation'))
      .is('pass')
  },
})
