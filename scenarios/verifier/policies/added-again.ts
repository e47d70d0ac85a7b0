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
    const { verifier, machines, check, observe } = context
    const named = await storeRuntimePolicy(context)
    const add = async ({ name } = named) => {
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
    await verifier.call('delete-policy', named.call)
    check('VER-POLICY-IN-USE-STAYS', 'evaluation after the policy was to be deleted')
      .of(await evaluationOf(first))
      .is('pass')
    const again = async (agent: typeof first, { call }: typeof named, policy: string) => {
      await verifier.deleteAgent(agent.id)
      await verifier.call('delete-policy', call)
      await verifier.call('create-policy', { ...call, body: runtimePolicyBody(policy) })
    }
    const sound = machines.policyOfBoot()
    await again(first, named, JSON.stringify({ ...JSON.parse(sound), digests: {} })) // the defect
    check('VER-ADD-POLICY-LOADED-JUDGES', 'evaluation by a policy of that name without files')
      .of(await evaluationOf(await add()))
      .is('fail')
    const pcrs = JSON.stringify({ 23: ['f'.repeat(64)], mask: '0x800000' })
    const strict = await storeRuntimePolicy(context, runtimePolicyBody(sound, pcrs))
    const second = await add(strict)
    // Whether the PCR values of a named policy count for its agents is not said.
    observe('named policies', 'evaluation by one with other PCRs', await evaluationOf(second))
    await again(second, strict, sound)
    check('VER-ADD-POLICY-LOADED-JUDGES', 'evaluation by a policy of that name without PCRs')
      .of(await evaluationOf(await add(strict)))
      .is('pass')
  },
})
