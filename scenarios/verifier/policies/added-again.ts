import { attributes, scenario } from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.added-again',
  title:
    'The verifier keeps a named policy for its agent, and evaluates a later agent by the new policy of that name',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES', 'VER-POLICY-IN-USE-STAYS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.judges',
  async run(context) {
    const { verifier, machines, check } = context
    const { name, call } = await storeRuntimePolicy(context)
    const add = async () => {
      const agent = await machines.lightAgent({ until: 'activated' })
      await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
      await agent.logIn()
      return agent
    }
    const first = await add()
    const evaluationOf = async (agent: typeof first) =>
      attributes(await agent.attest(), 'evaluation')
    check('VER-ADD-POLICY-LOADED-JUDGES', 'evaluation by the named policy')
      .of(await evaluationOf(first))
      .is('pass')
    await verifier.call('delete-policy', call)
    check('VER-POLICY-IN-USE-STAYS', 'evaluation after the policy was to be deleted')
      .of(await evaluationOf(first))
      .is('pass')
    await verifier.deleteAgent(first.id)
    await verifier.call('delete-policy', call)
    const nothing = { ...JSON.parse(machines.policyOfBoot()), digests: {} } // the defect
    const body = runtimePolicyBody(JSON.stringify(nothing))
    await verifier.call('create-policy', { ...call, body })
    check('VER-ADD-POLICY-LOADED-JUDGES', 'evaluation by a policy of that name without files')
      .of(await evaluationOf(await add()))
      .is('fail')
  },
})
