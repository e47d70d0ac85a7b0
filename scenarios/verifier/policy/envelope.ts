import { base64, results, scenario } from '../../../conformance/scenario.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

export default scenario({
  id: 'verifier.policy.envelope',
  title: 'The verifier stores a runtime policy in an envelope signed by its key',
  requirements: ['VER-POLICY-ENVELOPE', 'VER-POLICY-NAME'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, random, check, cleanUp }) {
    const call = { as: verifier.admin, params: { name: `assay-${random.uuid()}` } }
    const signer = makePolicySigner()
    const policy = signer.envelope(machines.policyOfBoot())
    const body = {
      tpm_policy: '{}',
      runtime_policy: base64(new TextEncoder().encode(policy)),
      runtime_policy_key: signer.key,
    }
    cleanUp(() => verifier.call('delete-policy', call))
    const created = await verifier.call('create-policy', { ...call, body })
    check('VER-POLICY-ENVELOPE', 'HTTP status').of(created.status).is(200)
    const seen = await verifier.call('read-policy', call)
    check('VER-POLICY-NAME', 'name').of(results(seen, 'name')).is(call.params.name)
  },
})
