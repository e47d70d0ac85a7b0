import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.file-not-in-policy',
  title: 'The verifier reports a file missing from the runtime policy as a policy violation',
  requirements: ['ATT-RUNTIME-POLICY-JUDGES', 'ATT-REASON-POLICY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    await agent.machine.play('measure /usr/bin/not-in-policy') // the defect
    const seen = await agent.attest()
    check('ATT-RUNTIME-POLICY-JUDGES', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
    check('ATT-REASON-POLICY', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('policy_violation')
  },
})
