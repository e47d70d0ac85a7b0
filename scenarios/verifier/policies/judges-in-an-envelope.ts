import {
  attributes,
  type Context,
  isRefusal,
  type PushAgent,
  scenario,
} from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

const JUDGES = 'VER-ADD-POLICY-LOADED-JUDGES'

/** Checks that an added agent passes with the files of its policy, and fails with another one. */
async function judges({ check }: Context, agent: PushAgent, policy: string): Promise<void> {
  await agent.logIn()
  check(JUDGES, `evaluation of files that ${policy} lists`)
    .of(attributes(await agent.attest(), 'evaluation'))
    .is('pass')
  await agent.machine.play('measure /usr/bin/not-in-policy') // the defect
  const seen = await agent.attest()
  check(JUDGES, `evaluation of a file that ${policy} does not list`)
    .of(attributes(seen, 'evaluation'))
    .is('fail')
  check('ATT-REASON-POLICY', `failure_reason of a file that ${policy} does not list`)
    .of(attributes(seen, 'failure_reason'))
    .is('policy_violation')
}

export default scenario({
  id: 'verifier.policies.judges-in-an-envelope',
  title: 'The verifier evaluates an agent by a policy that it took in a signed envelope',
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
    await judges(context, agent, 'a named policy')
    // The document has no envelopes, so a verifier may take them for named policies only.
    const other = await machines.pushAgent({ until: 'activated' })
    if (!isRefusal(await other.enrol(body))) await judges(context, other, 'its own policy')
  },
})
