import { base64, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { certifiedPolicySigner, makePolicySigner } from '../support/policy-signer.ts'

export default scenario({
  id: 'verifier.policy.envelope-and-signature',
  title:
    'The verifier checks the detached signature of a runtime policy that is in a signed envelope',
  requirements: ['VER-POLICY-SIGNATURE-CHECKED', 'VER-POLICY-SIGNATURE-NEEDS-KEY'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.policy.envelope',
  async run({ verifier, machines, random, check, cleanUp }) {
    const policy = machines.policyOfBoot()
    const [signer, certified] = [makePolicySigner(), await certifiedPolicySigner()]
    const add = (envelope: string, members: Readonly<Record<string, unknown>>) => {
      const call = { as: verifier.admin, params: { name: `assay-${random.uuid()}` } }
      cleanUp(() => verifier.call('delete-policy', call))
      const runtime_policy = base64(new TextEncoder().encode(envelope))
      return verifier.call('create-policy', {
        ...call,
        body: { tpm_policy: '{}', runtime_policy, ...members },
      })
    }
    check('VER-POLICY-SIGNATURE-CHECKED', 'adding it with the detached signature of another text')
      .of(
        await add(signer.envelope(policy), {
          runtime_policy_sig: signer.detached('another text'), // the defect
          runtime_policy_key: signer.key,
        }),
      )
      .matches(...REFUSED)
    const carried = certified.envelope(policy)
    check('VER-POLICY-SIGNATURE-NEEDS-KEY', 'adding it with a detached signature and no key')
      .of(await add(carried, { runtime_policy_sig: certified.detached(carried) })) // the defect
      .matches(...REFUSED)
  },
})
