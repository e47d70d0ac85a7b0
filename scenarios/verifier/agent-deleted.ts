import { REFUSED, results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.agent-deleted',
  title: 'The verifier adds an agent with empty results, and removes a deleted one',
  requirements: ['VER-ADD-STATUS', 'VER-DELETE-REMOVES', 'VER-STATUS-READ-200'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, random, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const added = await agent.enrol()
    check('VER-ADD-STATUS', 'HTTP status').of(added.status).is(200)
    check('VER-ADD-STATUS', 'results').of(results(added)).is({})
    await verifier.deleteAgent(agent.id)
    const seen = await verifier.readAgent(agent.id)
    check('VER-DELETE-REMOVES', 'reading the deleted agent')
      .of(seen)
      .matches(...REFUSED)
    const id = random.uuid().toUpperCase()
    const capitals = await machines.softAgent({ id, until: 'activated' })
    await capitals.enrol()
    check('VER-STATUS-READ-200', 'HTTP status of reading an agent whose id has capital letters')
      .of((await verifier.readAgent(id)).status)
      .is(200)
    await verifier.deleteAgent(id)
    check('VER-DELETE-REMOVES', 'reading that agent once it is deleted')
      .of(await verifier.readAgent(id))
      .matches(...REFUSED)
  },
})
