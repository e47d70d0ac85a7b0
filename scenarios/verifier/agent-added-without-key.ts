import { results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.agent-added-without-key',
  title: 'Before 2.1 an agent is added without its key, which the verifier has from the registrar',
  requirements: ['VER-ADD-KEY-OF-REGISTRAR'],
  role: 'verifier',
  since: '2.0',
  until: '2.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated', withoutKey: true })
    const added = await agent.enrol()
    check('VER-ADD-KEY-OF-REGISTRAR', 'HTTP status').of(added.status).is(200)
    const seen = await verifier.readAgent(agent.id)
    check('VER-ADD-KEY-OF-REGISTRAR', 'whether a record of it is read')
      .of(results(seen, 'operational_state') !== undefined)
      .is(true)
  },
})
