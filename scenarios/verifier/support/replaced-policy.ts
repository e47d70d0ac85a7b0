import { attributes, type Context, isSuccess, results } from '../../../conformance/scenario.ts'
import { countOf, runtimePolicyBody, storeRuntimePolicy } from './engine.ts'

const ROW = 'VER-ADD-POLICY-LOADED-JUDGES'

/** The document shows no PUT of runtime policies. */
async function replacePolicy(
  { verifier, version, notApplicable }: Context,
  name: string,
  policy: string,
): Promise<void> {
  const replaced = await verifier.get(
    `/v${version === '3.0' ? '2.5' : version}/allowlists/${name}`,
    {
      method: 'PUT',
      as: verifier.admin,
      headers: { 'content-type': 'application/json' },
      body: runtimePolicyBody(policy),
    },
  )
  if (!isSuccess(replaced)) notApplicable('runtime policies are not replaced here')
}

/** Polls until two attestations have passed, replaces the policy, and checks what comes of the next ones. */
export async function checkPolledUnderReplaced(
  context: Context,
  policy: string,
  expected: 'PASS' | 'FAIL',
): Promise<void> {
  const { machines, check } = context
  const { name } = await storeRuntimePolicy(context)
  const members = { runtime_policy_name: name, runtime_policy: '' }
  const agent = await machines.pullAgent({ members })
  const before = countOf(await agent.recordOnce((one) => countOf(one) >= 2))
  await replacePolicy(context, name, policy)
  const isOver = (status: unknown, count: number) => status === 'FAIL' || count >= before + 3
  const record = await agent.recordOnce((one) =>
    isOver(results(one, 'attestation_status'), countOf(one)),
  )
  check(ROW, 'attestation_status under the policy that replaced it')
    .of(results(record, 'attestation_status'))
    .is(expected)
}

/** Returns a policy that lists the files of the recorded boot, one of them with another digest. */
export function revoking(policy: string): string {
  const { digests, ...rest } = JSON.parse(policy)
  const [file = ''] = Object.keys(digests).filter((path) => path.startsWith('/'))
  return JSON.stringify({ ...rest, digests: { ...digests, [file]: ['cd'.repeat(32)] } })
}

/** Attests twice under a named policy, replaces that, and checks three attestations of the same boot. */
export async function checkUnderReplaced(
  context: Context,
  policy: string,
  expected: 'pass' | 'fail',
): Promise<void> {
  const { machines, check } = context
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
  await replacePolicy(context, name, policy)
  for (const time of ['first', 'second', 'third'])
    await checkNext(`${time} evaluation by the policy that replaced it`, expected)
}
