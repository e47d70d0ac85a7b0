import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.proof-by-soft-key',
  title: 'The verifier accepts a valid proof by a software key',
  requirements: ['SES-PASS-EVALUATION'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ softKeys: true, until: 'enrolled' })
    const proven = await agent.proveSession(await agent.openSession())
    check('SES-PASS-EVALUATION', 'evaluation').of(attributes(proven, 'evaluation')).is('pass')
  },
})
