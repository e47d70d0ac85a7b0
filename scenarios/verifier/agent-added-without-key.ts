import { results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.agent-added-without-key',
  title:
    'The verifier adds an agent without its key before 2.1, and takes the key from the registrar',
  requirements: ['VER-ADD-KEY-OF-REGISTRAR'],
  role: 'verifier',
  since: '2.0',
  until: '2.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated', withoutKey: true })
    const added = await agent.enrol()
    check('VER-ADD-KEY-OF-REGISTRAR', 'HTTP status').of(added.status).is(200)
    const seen = await verifier.readAgent(agent.id)
    check('VER-ADD-KEY-OF-REGISTRAR', 'whether its record is served')
      .of(results(seen, 'operational_state') !== undefined)
      .is(true)
  },
})
