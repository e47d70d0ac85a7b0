import { isRefusal, NO_SERVER_ERROR, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.named-unknown',
  title:
    'The verifier does not enroll an agent with the name of an unknown or deleted runtime policy',
  requirements: ['VER-ADD-POLICY-UNKNOWN', 'VER-ADD-POLICY-NOT-WITHOUT'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.policies.in-use',
  async run(context) {
    const { verifier, machines, random, check, observe } = context
    const agent = await machines.pushAgent({ until: 'activated' })
    const name = `assay-${random.uuid()}` // the defect
    const added = await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
    observe('allowlists', 'status of adding an agent with an unknown name', added.status)
    check('VER-ADD-POLICY-UNKNOWN', 'adding an agent with an unknown name')
      .of(added)
      .matches(...NO_SERVER_ERROR)
    check('VER-ADD-POLICY-NOT-WITHOUT', 'reading the agent')
      .of(await verifier.readAgent(agent.id))
      .matches(...REFUSED)
    const former = await storeRuntimePolicy(context)
    const members = { runtime_policy_name: former.name, runtime_policy: '' }
    const user = await machines.softAgent({ until: 'activated' })
    await user.enrol(members)
    await verifier.deleteAgent(user.id)
    await verifier.call('delete-policy', former.call)
    if (!isRefusal(await verifier.call('read-policy', former.call))) return
    await agent.enrol(members) // the defect
    check('VER-ADD-POLICY-NOT-WITHOUT', 'reading the agent with the name of a deleted policy')
      .of(await verifier.readAgent(agent.id))
      .matches(...REFUSED)
  },
})
