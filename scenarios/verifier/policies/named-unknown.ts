import { NO_SERVER_ERROR, REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.policies.named-unknown',
  title: 'The verifier does not enroll an agent with the name of an unknown runtime policy',
  requirements: ['VER-ADD-POLICY-UNKNOWN', 'VER-ADD-POLICY-NOT-WITHOUT'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.policies.in-use',
  async run({ verifier, machines, random, check, observe }) {
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
  },
})
