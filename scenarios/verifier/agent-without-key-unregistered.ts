import { REFUSED, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.agent-without-key-unregistered',
  title: 'The verifier does not enroll an agent without a key',
  requirements: ['VER-ADD-KEY-OF-NOBODY'],
  role: 'verifier',
  since: '2.0',
  until: '2.0',
  variantOf: 'verifier.agent-added-without-key',
  async run({ machines, check }) {
    const until = 'booted' // the defect: it is not registered
    const agent = await machines.pushAgent({ until, withoutKey: true })
    check('VER-ADD-KEY-OF-NOBODY', 'adding the agent')
      .of(await agent.enrol())
      .matches(...REFUSED)
  },
})
