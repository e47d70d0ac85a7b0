import { jsonIn, results, scenario } from '../../../conformance/scenario.ts'
import { isObject, runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.policies.static',
  title: 'The verifier stores a runtime policy with a static PCR policy, and returns both',
  requirements: [
    'VER-POLICY-CREATE-RESULTS',
    'VER-POLICY-SIGNATURE-OPTIONAL',
    'VER-POLICY-TPM-POLICY',
    'VER-POLICY-READ-STATUS',
    'VER-POLICY-TPM-POLICY-SAME',
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { verifier, machines, check } = context
    const tpmPolicy = {
      4: ['11'.repeat(32)],
      15: ['00'.repeat(32), 'ff'.repeat(20)],
      mask: '0x8000',
    }
    const body = runtimePolicyBody(machines.policyOfBoot(), JSON.stringify(tpmPolicy))
    const { call, created } = await storeRuntimePolicy(context, body)
    check('VER-POLICY-TPM-POLICY', 'HTTP status').of(created.status).is(200)
    check('VER-POLICY-CREATE-RESULTS', 'results')
      .of(results(created))
      .meets({
        nothing: (members) => isObject(members) && Object.keys(members).length === 0,
        'an object': isObject,
      })
    check('VER-POLICY-SIGNATURE-OPTIONAL', 'HTTP status without a signature')
      .of(created.status)
      .is(200)
    const seen = await verifier.call('read-policy', call)
    check('VER-POLICY-READ-STATUS', 'HTTP status').of(seen.status).is(200)
    check('VER-POLICY-TPM-POLICY-SAME', 'tpm_policy')
      .of(jsonIn(results(seen, 'tpm_policy')))
      .is(tpmPolicy)
  },
})
