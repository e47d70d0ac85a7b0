import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.quote-alone',
  title: 'The verifier passes a quote without logs if no policy needs one',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ measured: false })
    const seen = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})
