import { base64, results, scenario } from '../../../conformance/scenario.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

export default scenario({
  id: 'verifier.policy.signed',
  title: 'The verifier stores a runtime policy with a detached signature and its key',
  requirements: ['VER-POLICY-CREATE', 'VER-POLICY-NAME'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, random, check, cleanUp }) {
    const call = { as: verifier.admin, params: { name: `Assay-${random.uuid()}` } }
    // A text ends in a newline, which the signature covers.
    const policy = `${machines.policyOfBoot()}\n`
    const signer = makePolicySigner()
    const body = {
      tpm_policy: '{}',
      runtime_policy: base64(new TextEncoder().encode(policy)),
      runtime_policy_sig: signer.detached(policy),
      runtime_policy_key: signer.key,
    }
    cleanUp(() => verifier.call('delete-policy', call))
    const created = await verifier.call('create-policy', { ...call, body })
    check('VER-POLICY-CREATE', 'HTTP status').of(created.status).is(200)
    const seen = await verifier.call('read-policy', call)
    check('VER-POLICY-NAME', 'name').of(results(seen, 'name')).is(call.params.name)
  },
})
