import { base64, isRefusal, isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { storeRuntimePolicy } from '../support/engine.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

type Members = Readonly<Record<string, unknown>>

const CHECKED = 'VER-ADD-SIGNATURE-CHECKED'

/** Signatures of the runtime policy of an agent, beside the right one. */
const DEFECTS: readonly (readonly [
  says: string,
  row: string,
  members: (policy: string) => Members,
])[] = [
  [
    'a signature and no key',
    'VER-ADD-SIGNATURE-NEEDS-KEY',
    (policy) => signed(policy, { key: false }),
  ],
  [
    'a key and no signature',
    'VER-ADD-KEY-NEEDS-SIGNATURE',
    (policy) => signed(policy, { signature: false }),
  ],
  [
    'the signature of another policy',
    CHECKED,
    (policy) => ({ ...signed(`${policy} `), ...policyOf(policy) }),
  ],
  ['the signature by another key', CHECKED, (policy) => ({ ...signed(policy), ...keyOf(policy) })],
  ['an empty signature', CHECKED, (policy) => ({ ...signed(policy), runtime_policy_sig: '' })],
]

const policyOf = (policy: string) => ({ runtime_policy: base64(new TextEncoder().encode(policy)) })
const keyOf = (policy: string) => ({ runtime_policy_key: signed(policy)['runtime_policy_key'] })

function signed(policy: string, { key = true, signature = true } = {}): Members {
  const signer = makePolicySigner()
  return {
    ...policyOf(policy),
    ...(signature && { runtime_policy_sig: signer.detached(policy) }),
    ...(key && { runtime_policy_key: signer.key }),
  }
}

export default scenario({
  id: 'verifier.policy.of-added-agent',
  title:
    'The verifier adds an agent with a signed runtime policy, and none whose signature is wrong',
  requirements: [
    ...['VER-ADD-SIGNATURE-OPTIONAL', 'VER-ADD-SIGNATURE-BASE64', 'VER-ADD-KEY-BASE64'],
    ...new Set(DEFECTS.map(([, row]) => row)),
  ],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  variantOf: 'verifier.policy.signed',
  async run(context) {
    const { verifier, machines, random, check, cleanUp } = context
    const agent = await machines.softAgent({ until: 'activated' })
    const policy = machines.policyOfBoot()
    const add = async (members: Members) => {
      const reply = await agent.enrol(members)
      if (!isRefusal(reply)) await verifier.deleteAgent(agent.id)
      return reply
    }
    for (const [row, members] of [
      ['VER-ADD-SIGNATURE-OPTIONAL', policyOf(policy)],
      ['VER-ADD-SIGNATURE-BASE64', signed(policy)],
      ['VER-ADD-KEY-BASE64', signed(policy)],
    ] as const)
      check(row, 'adding the agent')
        .of(await add(members))
        .matches('a success', isSuccess)
    const { name } = await storeRuntimePolicy(context)
    const stored = { runtime_policy: '', runtime_policy_name: name }
    check('VER-ADD-SIGNATURE-OPTIONAL', 'adding the agent with the name of a stored policy')
      .of(await add(stored))
      .matches('a success', isSuccess)
    for (const [says, row, members] of DEFECTS)
      check(row, `adding the agent with ${says}`)
        .of(await add(members(policy))) // the defect
        .matches(...REFUSED)
    for (const [says, row, members] of DEFECTS) {
      const params = { name: `Assay-${random.uuid()}` }
      const call = { as: verifier.admin, params }
      cleanUp(() => verifier.call('delete-policy', call))
      check(row, `adding the agent with a policy under a new name, ${says}`)
        .of(await add({ ...members(policy), runtime_policy_name: params.name })) // the defect
        .matches(...REFUSED)
      check(row, `reading the policy under the new name, ${says}`)
        .of(await verifier.call('read-policy', call))
        .matches(...REFUSED)
    }
    for (const [says, row, members] of DEFECTS.filter(([, each]) => each !== CHECKED))
      check(row, `adding the agent with the name of a stored policy, ${says}`)
        .of(await add({ ...members(policy), ...stored })) // the defect
        .matches(...REFUSED)
  },
})
