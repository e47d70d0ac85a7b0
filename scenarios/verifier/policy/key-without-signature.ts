import { base64, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

export default scenario({
  id: 'verifier.policy.key-without-signature',
  title: 'The verifier does not store a runtime policy with a key and no signature',
  requirements: ['VER-POLICY-KEY-NEEDS-SIGNATURE'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.policy.signed',
  async run({ verifier, machines, random, check, cleanUp }) {
    const call = { as: verifier.admin, params: { name: `assay-${random.uuid()}` } }
    const body = {
      tpm_policy: '{}',
      runtime_policy: base64(new TextEncoder().encode(machines.policyOfBoot())),
      runtime_policy_key: makePolicySigner().key, // the defect: no runtime_policy_sig
    }
    cleanUp(() => verifier.call('delete-policy', call))
    const created = await verifier.call('create-policy', { ...call, body })
    check('VER-POLICY-KEY-NEEDS-SIGNATURE', 'adding the policy')
      .of(created)
      .matches(...REFUSED)
    check('VER-POLICY-KEY-NEEDS-SIGNATURE', 'reading the rejected policy')
      .of(await verifier.call('read-policy', call))
      .matches(...REFUSED)
  },
})
