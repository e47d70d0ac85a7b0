import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.clock-went-back',
  title: 'The verifier rejects a quote whose clock is behind that of the last one',
  requirements: ['ATT-CLOCK-FORWARD'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ softKeys: true })
    await agent.attest()
    const seen = await agent.attest({
      attest: (attest) => ({ ...attest, clockInfo: { ...attest.clockInfo, clock: 0n } }), // the defect
    })
    check('ATT-CLOCK-FORWARD', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
  },
})
