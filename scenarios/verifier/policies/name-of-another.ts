import { base64, REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import {
  policyNaming,
  readPolicyText,
  runtimePolicyBody,
  storeRuntimePolicy,
} from '../support/engine.ts'

const [, isRefused] = REFUSED

export default scenario({
  id: 'verifier.policies.name-of-another',
  title:
    'The verifier never mixes two policies when an agent is enrolled with a policy under an existing name',
  requirements: ['VER-POLICY-REFUSED-HARMLESS'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.policies.saved',
  async run(context) {
    const { verifier, machines, random, check, observe, cleanUp } = context
    const kept = runtimePolicyBody(policyNaming(context, '/opt/before'))
    const { name, call } = await storeRuntimePolicy(context, kept) // the defect
    const agent = await machines.pushAgent({ until: 'activated', measured: true })
    const added = await agent.enrol({ runtime_policy_name: name })
    observe('allowlists', 'status of adding an agent with an existing name', added.status)
    const seen = await verifier.call('read-policy', call)
    check('VER-POLICY-REFUSED-HARMLESS', 'whether the policy is the earlier one')
      .of(readPolicyText(results(seen, 'runtime_policy')).includes('/opt/before'))
      .is(isRefused(added))
    check('VER-POLICY-REFUSED-HARMLESS', 'whether reading the agent is refused, as adding it was')
      .of(isRefused(await verifier.readAgent(agent.id)))
      .is(isRefused(added))
    if (isRefused(added)) await agent.enrol()
    const further = { as: verifier.admin, params: { name: `Assay-${random.uuid()}` } }
    cleanUp(() => verifier.call('delete-policy', further))
    const again = await agent.enrol({ runtime_policy_name: further.params.name }) // the defect
    check('VER-POLICY-REFUSED-HARMLESS', 'whether there is no policy of an agent that was refused')
      .of(isRefused(await verifier.call('read-policy', further)))
      .is(isRefused(again))
    const last = { as: verifier.admin, params: { name: `Assay-${random.uuid()}` } }
    cleanUp(() => verifier.call('delete-policy', last))
    const other = await machines.softAgent({ until: 'activated', measured: true })
    const v = base64(random.bytes(31)) // the defect
    const odd = await other.enrol({ runtime_policy_name: last.params.name, v })
    check('VER-POLICY-REFUSED-HARMLESS', 'whether there is none of one that was refused for its v')
      .of(isRefused(await verifier.call('read-policy', last)))
      .is(isRefused(odd))
  },
})
