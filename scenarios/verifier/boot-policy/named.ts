import { results, scenario } from '../../../conformance/scenario.ts'
import { storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.named',
  title:
    'The verifier enrolls an agent with the name of a stored boot policy, which outlives the agent',
  requirements: [
    'VER-ADD-BOOT-POLICY-NAMED',
    'VER-POLICY-OUTLIVES-AGENT',
    'VER-POLICY-IN-USE-STAYS',
  ],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  async run(context) {
    const { verifier, machines, check, observe } = context
    const { name: bootPolicyName, call } = await storeBootPolicy(context)
    const agent = await machines.pushAgent({ until: 'activated', bootPolicyName })
    const added = await agent.enrol()
    check('VER-ADD-BOOT-POLICY-NAMED', 'HTTP status of adding the agent').of(added.status).is(200)
    const hasPolicy = async () => results(await verifier.readAgent(agent.id), 'has_mb_refstate')
    check('VER-ADD-BOOT-POLICY-NAMED', 'has_mb_refstate')
      .of(await hasPolicy())
      .is(1)
    await verifier.deleteAgent(agent.id)
    check('VER-POLICY-OUTLIVES-AGENT', 'HTTP status of reading it once its agent is deleted')
      .of((await verifier.call('read-boot-policy', call)).status)
      .is(200)
    await agent.enrol()
    const deleted = await verifier.call('delete-boot-policy', call)
    observe('mbpolicies DELETE', 'status of a policy in use', deleted.status)
    check('VER-POLICY-IN-USE-STAYS', 'has_mb_refstate after the attempt')
      .of(await hasPolicy())
      .is(1)
    const left = await verifier.call('read-boot-policy', call)
    observe('mbpolicies DELETE', 'status of reading it afterwards', left.status)
  },
})
