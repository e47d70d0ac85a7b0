import { scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.certificates-apart',
  title: "The verifier does not poll an agent that shows another added agent's certificate",
  requirements: ['CRT-PULL-ONE-CONNECTION'],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check }) {
    const agent = await machines.pullAgent({ until: 'activated' })
    const owner = await machines.pullAgent({ members: { mtls_cert: agent.certificate } })
    const other = await machines.pullAgent()
    await agent.enrol({ mtls_cert: other.certificate }) // the defect: it shows that of `owner`
    await other.recordOnce((record) => countOf(record) >= 3)
    check('CRT-PULL-ONE-CONNECTION', 'requests to an agent that shows the certificate of another')
      .of([agent, owner].map(({ asked }) => asked.length))
      .is([0, 0])
    check('CRT-PULL-ONE-CONNECTION', 'polls of the agent that shows its own')
      .of(other.polls.length)
      .matches('at least 3', (count) => count >= 3)
  },
})
