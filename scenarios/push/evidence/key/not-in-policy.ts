import { attributes, scenario } from '../../../../conformance/scenario.ts'
import { SOME_CERTIFICATE } from '../../support/engine.ts'

export default scenario({
  id: 'push.evidence.key-not-in-policy',
  title:
    'The verifier reports a key added to a kernel keyring and missing from the policy as a policy violation',
  requirements: ['ATT-IMA-KEYRING', 'ATT-REASON-POLICY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.key-in-policy',
  async run({ machines, check }) {
    const script = [['key', '.ima', SOME_CERTIFICATE]] as const
    const listed = await machines.pushAgent({ script })
    const passed = await listed.attest()
    const agent = await machines.pushAgent({
      script,
      policy: (accepted) => ({ ...accepted, keyrings: {} }), // the defect
    })
    const seen = await agent.attest()
    const failed = check(
      'ATT-IMA-KEYRING',
      'evaluations with the key in the policy, and without it',
    )
      .of([passed, seen].map((one) => attributes(one, 'evaluation')))
      .is(['pass', 'fail'])
    if (failed)
      check('ATT-REASON-POLICY', 'failure_reason')
        .of(attributes(seen, 'failure_reason'))
        .is('policy_violation')
  },
})
