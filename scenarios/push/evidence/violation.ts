import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.violation',
  title: 'The verifier reports a file written during its measurement as a policy violation',
  requirements: ['ATT-IMA-VIOLATION', 'ATT-REASON-POLICY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    await agent.machine.play('violation /mnt/run.sh') // the defect
    const seen = await agent.attest()
    check('ATT-IMA-VIOLATION', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
    check('ATT-REASON-POLICY', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .is('policy_violation')
  },
})
