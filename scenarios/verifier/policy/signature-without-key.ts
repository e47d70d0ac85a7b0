import { base64, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

export default scenario({
  id: 'verifier.policy.signature-without-key',
  title: 'The verifier does not store a runtime policy with a detached signature and no key',
  requirements: ['VER-POLICY-SIGNATURE-NEEDS-KEY'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.policy.signed',
  async run({ verifier, machines, random, check, cleanUp }) {
    const call = { as: verifier.admin, params: { name: `assay-${random.uuid()}` } }
    const policy = machines.policyOfBoot()
    const body = {
      tpm_policy: '{}',
      runtime_policy: base64(new TextEncoder().encode(policy)),
      runtime_policy_sig: makePolicySigner().detached(policy), // the defect: no runtime_policy_key
    }
    cleanUp(() => verifier.call('delete-policy', call))
    const created = await verifier.call('create-policy', { ...call, body })
    check('VER-POLICY-SIGNATURE-NEEDS-KEY', 'adding the policy')
      .of(created)
      .matches(...REFUSED)
    check('VER-POLICY-SIGNATURE-NEEDS-KEY', 'reading the rejected policy')
      .of(await verifier.call('read-policy', call))
      .matches(...REFUSED)
  },
})
