import { NO_SERVER_ERROR, REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import { storeRuntimePolicy } from '../support/engine.ts'

const [, isRefused] = REFUSED

export default scenario({
  id: 'verifier.policies.in-use',
  title: 'The verifier keeps the policy of an enrolled agent when its name is deleted',
  requirements: [
    'VER-ADD-POLICY-LOADED',
    'VER-POLICY-DELETE',
    'VER-POLICY-DELETE-IN-USE',
    'VER-POLICY-IN-USE-STAYS',
    'VER-ADD-SIGNATURE-OPTIONAL',
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { verifier, machines, check, observe } = context
    const { name, call } = await storeRuntimePolicy(context)
    const agent = await machines.pushAgent({ until: 'activated' })
    const added = await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
    check('VER-ADD-POLICY-LOADED', 'HTTP status of adding an agent with only the name')
      .of(added.status)
      .is(200)
    check('VER-ADD-SIGNATURE-OPTIONAL', 'HTTP status without a signature').of(added.status).is(200)
    const hasPolicy = async () => results(await verifier.readAgent(agent.id), 'has_runtime_policy')
    check('VER-ADD-POLICY-LOADED', 'has_runtime_policy')
      .of(await hasPolicy())
      .is(1)
    const deleted = await verifier.call('delete-policy', call)
    observe('allowlists DELETE', 'status of a policy in use', deleted.status)
    check('VER-POLICY-DELETE-IN-USE', 'deleting the policy')
      .of(deleted)
      .matches(...NO_SERVER_ERROR)
    check('VER-POLICY-IN-USE-STAYS', 'has_runtime_policy after the attempt')
      .of(await hasPolicy())
      .is(1)
    const left = await verifier.call('read-policy', call)
    check('VER-POLICY-DELETE', 'reading a policy whose deletion had success')
      .of(isRefused(deleted) || isRefused(left))
      .is(true)
    check('VER-POLICY-IN-USE-STAYS', 'HTTP status of reading a policy whose deletion was refused')
      .of(isRefused(deleted) ? left.status : 200)
      .is(200)
  },
})
