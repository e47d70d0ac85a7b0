import { base64, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

export default scenario({
  id: 'verifier.policy.signature-of-another',
  title:
    'The verifier does not store a runtime policy with the detached signature of another policy',
  requirements: ['VER-POLICY-SIGNATURE-CHECKED'],
  role: 'verifier',
  provesFunction: true,
  since: '2.1',
  perMajor: true,
  until: '2.5',
  variantOf: 'verifier.policy.signed',
  async run({ verifier, machines, random, check, cleanUp }) {
    const call = { as: verifier.admin, params: { name: `assay-${random.uuid()}` } }
    const policy = machines.policyOfBoot()
    const signer = makePolicySigner()
    const body = {
      tpm_policy: '{}',
      runtime_policy: base64(new TextEncoder().encode(policy)),
      runtime_policy_sig: signer.detached(`${policy} `), // the defect
      runtime_policy_key: signer.key,
    }
    cleanUp(() => verifier.call('delete-policy', call))
    const created = await verifier.call('create-policy', { ...call, body })
    check('VER-POLICY-SIGNATURE-CHECKED', 'adding the policy')
      .of(created)
      .matches(...REFUSED)
    check('VER-POLICY-SIGNATURE-CHECKED', 'reading the policy')
      .of(await verifier.call('read-policy', call))
      .matches(...REFUSED)
  },
})
