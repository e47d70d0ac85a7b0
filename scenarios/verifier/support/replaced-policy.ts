import { createHash } from 'node:crypto'
import { attributes, type Context, isSuccess, results } from '../../../conformance/scenario.ts'
import { countOf, policyNaming, runtimePolicyBody, storeRuntimePolicy } from './engine.ts'

const JUDGES = 'VER-ADD-POLICY-LOADED-JUDGES'

/** A file that the policy of the boot does not list, and the digest with which a machine measures it. */
const MORE = '/opt/more'
const MEASURED = createHash('sha256').update(MORE).digest('hex')

/** A policy that takes the place of the one of the boot, and what comes of the next attestations. */
interface Replacement {
  policyOf(context: Context): string
  /** What happens on the machine after that. */
  readonly play?: string
  /** Which of the two policies the list satisfies then. */
  readonly satisfies: string
  readonly passes: boolean
  readonly requirement: string
}

/** Lists more than is measured: passes whether it counts for the agent or the policy with which it was added. */
export const BY_MORE: Replacement = {
  policyOf: (context) => policyNaming(context, MORE),
  satisfies: 'both the policy and its replacement',
  passes: true,
  requirement: JUDGES,
}

/**
 * Revokes a file of the boot and lists one that the policy before does not. The list satisfies neither: it passes only
 * if its older entries are judged by one policy and its newer ones by the other.
 */
export const BY_REVOKING: Replacement = {
  policyOf(context) {
    const { digests, ...rest } = JSON.parse(policyNaming(context, MORE))
    const [file = ''] = Object.keys(digests).filter((path) => path.startsWith('/'))
    const others = { [MORE]: [MEASURED], [file]: ['cd'.repeat(32)] }
    return JSON.stringify({ ...rest, digests: { ...digests, ...others } })
  },
  play: `measure ${MORE}`,
  satisfies: 'neither the policy nor its replacement',
  passes: false,
  requirement: 'VER-POLICY-REPLACED-JUDGES',
}

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
  { policyOf, play, satisfies, passes, requirement }: Replacement,
): Promise<void> {
  const { machines, check } = context
  const { name } = await storeRuntimePolicy(context)
  const members = { runtime_policy_name: name, runtime_policy: '' }
  const agent = await machines.pullAgent({ members })
  const before = countOf(await agent.recordOnce((one) => countOf(one) >= 2))
  await replacePolicy(context, name, policyOf(context))
  if (play) await agent.machine.play(play)
  const isOver = (status: unknown, count: number) => status === 'FAIL' || count >= before + 3
  const record = await agent.recordOnce((one) =>
    isOver(results(one, 'attestation_status'), countOf(one)),
  )
  check(requirement, `attestation_status with a list that satisfies ${satisfies}`)
    .of(results(record, 'attestation_status'))
    .is(passes ? 'PASS' : 'FAIL')
}

/** Attests twice under a named policy, replaces that, and checks up to three more attestations. */
export async function checkUnderReplaced(
  context: Context,
  { policyOf, play, satisfies, passes, requirement }: Replacement,
): Promise<void> {
  const { machines, check } = context
  const { name } = await storeRuntimePolicy(context)
  const agent = await machines.pushAgent({ until: 'activated' })
  await agent.enrol({ runtime_policy_name: name, runtime_policy: '' })
  await agent.logIn()
  const checkNext = async (row: string, what: string, evaluation: string) =>
    check(row, what)
      .of(attributes(await agent.attest(), 'evaluation'))
      .is(evaluation)
  for (const time of ['first', 'second'])
    await checkNext(JUDGES, `${time} evaluation by the first policy`, 'pass')
  await replacePolicy(context, name, policyOf(context))
  if (play) await agent.machine.play(play)
  for (const time of ['first', 'second', 'third']) {
    const what = `${time} evaluation of a list that satisfies ${satisfies}`
    // A later evaluation without new entries may repeat the result of the one before.
    if (!(await checkNext(requirement, what, passes ? 'pass' : 'fail'))) return
  }
}
