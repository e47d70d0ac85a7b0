import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.soft-keys-accepted',
  title: 'The verifier passes valid evidence of an agent with software keys',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ softKeys: true })
    await agent.attest()
    const seen = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})
