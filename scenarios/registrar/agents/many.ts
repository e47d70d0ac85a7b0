import { listOf, results, scenario } from '../../../conformance/scenario.ts'

/** Above the sizes of a page that are in use, such as 20, 50 and 100. */
const AGENTS = 101

export default scenario({
  id: 'registrar.agents.many',
  title: 'The registrar lists more agents than fit on a page',
  requirements: ['REG-LIST-UUIDS'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  async run({ registrar, verifier, machines, check }) {
    const made: string[] = []
    while (made.length < AGENTS) {
      const agent = await machines.silentAgent()
      await agent.activate()
      made.push(agent.id)
    }
    const listed = listOf(results(await registrar.list(verifier.admin), 'uuids')) ?? []
    check('REG-LIST-UUIDS', `agents that are not in the list, of ${made.length}`)
      .of(made.filter((id) => !listed.includes(id)).length)
      .is(0)
  },
})
