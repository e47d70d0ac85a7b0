import { REFUSED, results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.agent-deleted',
  title: 'The verifier adds an agent with empty results, and removes a deleted one',
  requirements: ['VER-ADD-STATUS', 'VER-DELETE-REMOVES'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const added = await agent.enrol()
    check('VER-ADD-STATUS', 'HTTP status').of(added.status).is(200)
    check('VER-ADD-STATUS', 'results').of(results(added)).is({})
    await verifier.deleteAgent(agent.id)
    const seen = await verifier.readAgent(agent.id)
    check('VER-DELETE-REMOVES', 'reading the deleted agent')
      .of(seen)
      .matches(...REFUSED)
  },
})
