import { attributes, scenario } from '../../../conformance/scenario.ts'
import { storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.in-use-by-two',
  title: 'The verifier keeps the policy of two agents when its name is deleted',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES', 'VER-POLICY-IN-USE-STAYS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.judges',
  async run(context) {
    const { verifier, machines, check, observe } = context
    const { name, call } = await storeRuntimePolicy(context)
    const add = async () => {
      const agent = await machines.lightAgent({ until: 'activated' })
      await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
      await agent.logIn()
      return agent
    }
    const agents = [await add(), await add()]
    for (const agent of agents)
      check('VER-ADD-POLICY-LOADED-JUDGES', 'evaluation by the named policy')
        .of(attributes(await agent.attest(), 'evaluation'))
        .is('pass')
    const deleted = await verifier.call('delete-policy', call) // the defect
    observe('allowlists DELETE', 'status of a policy that two agents have', deleted.status)
    for (const agent of agents) {
      const begun = await verifier.patiently(() => agent.offer(agent.credentials))
      const isTaken = check('VER-POLICY-IN-USE-STAYS', 'capabilities POST after the attempt')
        .of(begun.status)
        .is(201)
      if (!isTaken) return
      check('VER-POLICY-IN-USE-STAYS', 'evaluation after the attempt')
        .of(attributes(await agent.attest(), 'evaluation'))
        .is('pass')
      await agent.machine.play('measure /usr/bin/not-in-policy') // the defect
      check('VER-POLICY-IN-USE-STAYS', 'evaluation of a file that the policy does not list')
        .of(attributes(await agent.attest(), 'evaluation'))
        .is('fail')
    }
  },
})
