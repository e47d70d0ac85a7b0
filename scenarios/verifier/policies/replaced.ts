import { attributes, isSuccess, scenario } from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.replaced',
  title: 'The verifier evaluates the next attestation by a replaced runtime policy',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.judges',
  async run(context) {
    const { verifier, machines, check, observe, notApplicable } = context
    const { name } = await storeRuntimePolicy(context)
    const agent = await machines.pushAgent({ until: 'activated' })
    await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
    await agent.logIn()
    const nothing = { ...JSON.parse(machines.policyOfBoot()), digests: {} } // the defect
    const replaced = await verifier.get(`/v2.5/allowlists/${name}`, {
      method: 'PUT',
      as: verifier.admin,
      headers: { 'content-type': 'application/json' },
      body: runtimePolicyBody(JSON.stringify(nothing)),
    })
    observe('allowlists PUT', 'HTTP status, which the document does not show', replaced.status)
    if (!isSuccess(replaced)) notApplicable('runtime policies are not replaced here')
    const seen = await agent.attest()
    check('VER-ADD-POLICY-LOADED-JUDGES', 'evaluation by a policy that lists no file')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
  },
})
