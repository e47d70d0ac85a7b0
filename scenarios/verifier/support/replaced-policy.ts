import { attributes, type Context, isSuccess } from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from './engine.ts'

const ROW = 'VER-ADD-POLICY-LOADED-JUDGES'

/** Attests twice under a named policy, replaces that, and checks three attestations of the same boot. */
export async function checkUnderReplaced(
  context: Context,
  policy: string,
  expected: 'pass' | 'fail',
): Promise<void> {
  const { verifier, machines, check, notApplicable } = context
  const { name } = await storeRuntimePolicy(context)
  const agent = await machines.pushAgent({ until: 'activated' })
  await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
  await agent.logIn()
  const checkNext = async (what: string, evaluation: string) =>
    check(ROW, what)
      .of(attributes(await agent.attest(), 'evaluation'))
      .is(evaluation)
  for (const time of ['first', 'second'])
    await checkNext(`${time} evaluation by the first policy`, 'pass')
  const replaced = await verifier.get(`/v2.5/allowlists/${name}`, {
    method: 'PUT',
    as: verifier.admin,
    headers: { 'content-type': 'application/json' },
    body: runtimePolicyBody(policy),
  })
  if (!isSuccess(replaced)) notApplicable('runtime policies are not replaced here')
  for (const time of ['first', 'second', 'third'])
    await checkNext(`${time} evaluation by the policy that replaced it`, expected)
}
