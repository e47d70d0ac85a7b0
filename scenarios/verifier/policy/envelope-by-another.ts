import { base64, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

export default scenario({
  id: 'verifier.policy.envelope-by-another',
  title: 'The verifier does not store a runtime policy in an envelope signed by another key',
  requirements: ['VER-POLICY-SIGNATURE-CHECKED'],
  role: 'verifier',
  provesFunction: true,
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.policy.envelope',
  async run({ verifier, machines, random, check, cleanUp }) {
    const call = { as: verifier.admin, params: { name: `assay-${random.uuid()}` } }
    const signer = makePolicySigner()
    const policy = makePolicySigner().envelope(machines.policyOfBoot()) // the defect
    const body = {
      tpm_policy: '{}',
      runtime_policy: base64(new TextEncoder().encode(policy)),
      runtime_policy_key: signer.key,
    }
    cleanUp(() => verifier.call('delete-policy', call))
    const created = await verifier.call('create-policy', { ...call, body })
    check('VER-POLICY-SIGNATURE-CHECKED', 'adding the policy')
      .of(created)
      .matches(...REFUSED)
  },
})
