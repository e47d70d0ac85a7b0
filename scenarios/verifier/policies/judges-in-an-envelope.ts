import { attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

const JUDGES = 'VER-ADD-POLICY-LOADED-JUDGES'

export default scenario({
  id: 'verifier.policies.judges-in-an-envelope',
  title: 'The verifier evaluates an agent by a named policy that it took in a signed envelope',
  requirements: [JUDGES, 'VER-POLICY-ENVELOPE', 'ATT-REASON-POLICY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.judges',
  async run(context) {
    const { machines, check, notApplicable } = context
    const signer = makePolicySigner()
    const enveloped = runtimePolicyBody(signer.envelope(machines.policyOfBoot()))
    const body = { ...enveloped, runtime_policy_key: signer.key }
    const { name, created } = await storeRuntimePolicy(context, body)
    if (isRefusal(created)) return notApplicable('the verifier takes no policy in an envelope')
    check('VER-POLICY-ENVELOPE', 'HTTP status').of(created.status).is(200)
    const agent = await machines.pushAgent({ until: 'activated' })
    await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
    await agent.logIn()
    check(JUDGES, 'evaluation of files that it lists')
      .of(attributes(await agent.attest(), 'evaluation'))
      .is('pass')
    await agent.machine.play('measure /usr/bin/not-in-policy') // the defect
    const seen = await agent.attest()
    check(JUDGES, 'evaluation of a file that it does not list')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    check('ATT-REASON-POLICY', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('policy_violation')
  },
})
