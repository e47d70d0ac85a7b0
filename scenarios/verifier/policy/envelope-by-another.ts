import { base64, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { certifiedPolicySigner, makePolicySigner } from '../support/policy-signer.ts'

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
    cleanUp(() => verifier.call('delete-policy', call))
    for (const [says, other] of [
      ['of another key', makePolicySigner()],
      ['of another key with its certificate', await certifiedPolicySigner()],
    ] as const) {
      const policy = other.envelope(machines.policyOfBoot()) // the defect
      const body = {
        tpm_policy: '{}',
        runtime_policy: base64(new TextEncoder().encode(policy)),
        runtime_policy_key: signer.key,
      }
      check('VER-POLICY-SIGNATURE-CHECKED', `adding the policy in an envelope ${says}`)
        .of(await verifier.call('create-policy', { ...call, body }))
        .matches(...REFUSED)
    }
    check('VER-POLICY-SIGNATURE-CHECKED', 'reading the policy of the rejected envelopes')
      .of(await verifier.call('read-policy', call))
      .matches(...REFUSED)
  },
})
