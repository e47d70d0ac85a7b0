import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.lockout.added-with-address',
  title: 'The verifier takes evidence of an agent that was added with an address and a certificate',
  requirements: ['ATT-CREATE-STATUS', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  async run({ machines, certificates, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const { certificate } = await certificates('agent-server')
    const address = { cloudagent_ip: '127.0.0.1', cloudagent_port: 9 }
    await agent.enrol({ ...address, mtls_cert: certificate?.cert })
    await agent.logIn()
    const offered = await agent.offerInTurn()
    check('ATT-CREATE-STATUS', 'HTTP status of its capabilities').of(offered.status).is(201)
    await agent.submit(agent.negotiationIn(offered))
    const seen = await agent.verdict(agent.negotiationIn(offered))
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})
