import { ANONYMOUS, scenario } from '../../conformance/scenario.ts'
import { freshNonce } from './support/engine.ts'

export default scenario({
  id: 'pull-agent.default-tls',
  title:
    'A pull agent with the settings of TLS at their defaults knows verifier and tenant by the generated CA',
  requirements: ['CRT-AGENT-CA-PATH'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.fresh({ defaultTls: true })
    const reply = await agent.identity(freshNonce(random))
    check('CRT-AGENT-CA-PATH', 'HTTP status for a client of the generated CA')
      .of(reply.status)
      .is(200)
    const { status } = await agent.identity(freshNonce(random), ANONYMOUS)
    check('CRT-AGENT-CA-PATH', 'whether a client without a certificate gets a quote')
      .of(status === 200)
      .is(false)
  },
})
