import { isSuccess, results, scenario } from '../../../conformance/scenario.ts'
import { readPolicyText } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.saved',
  title: 'The verifier stores the policy of an added agent under the given name, also for others',
  requirements: ['VER-ADD-POLICY-SAVED', 'VER-ADD-POLICY-BASE64', 'VER-ADD-POLICY-LOADED'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.runtime-policy-named',
  async run({ verifier, machines, random, check, cleanUp, observe }) {
    const name = `assay-${random.uuid()}`
    const call = { as: verifier.admin, params: { name } }
    const marker = `/opt/${random.uuid()}/.*`
    const agent = await machines.pushAgent({
      until: 'activated',
      measured: true,
      policy: (accepted) => ({ ...accepted, excludes: [marker] }),
    })
    cleanUp(() => verifier.call('delete-policy', call))
    const added = await agent.enrol({ runtime_policy_name: name }) // the defect: with an agent
    check('VER-ADD-POLICY-BASE64', 'HTTP status of adding the agent').of(added.status).is(200)
    const seen = await verifier.call('read-policy', call)
    check('VER-ADD-POLICY-SAVED', 'HTTP status of reading its policy').of(seen.status).is(200)
    check('VER-ADD-POLICY-SAVED', 'the policy that is read')
      .of(readPolicyText(results(seen, 'runtime_policy')))
      .matches(`one that excludes ${marker}`, (text) => text.includes(marker))
    const listed = await verifier.call('list-policies', { as: verifier.admin })
    check('VER-ADD-POLICY-SAVED', 'whether its name is listed')
      .of(listed.text.includes(`"${name}"`))
      .is(true)
    const other = await machines.softAgent({ until: 'activated' })
    const again = await other.enrol({ runtime_policy_name: name, runtime_policy: '' })
    check('VER-ADD-POLICY-LOADED', 'adding another agent with only the name')
      .of(again)
      .matches('a success', isSuccess)
    await verifier.deleteAgent(other.id)
    await verifier.deleteAgent(agent.id)
    const { status } = await verifier.call('read-policy', call)
    observe('allowlists', 'status of reading it once the agent is deleted', status)
  },
})
