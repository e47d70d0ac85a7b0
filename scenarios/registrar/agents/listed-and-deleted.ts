import { isSuccess, REFUSED, type Reply, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.agents.listed-and-deleted',
  title: 'The registrar lists a registered agent and removes a deleted one',
  requirements: ['REG-LIST-UUIDS', 'REG-DELETE-REMOVES'],
  role: 'registrar',
  since: '2.1',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const listed = await registrar.list(verifier.admin)
    check('REG-LIST-UUIDS', 'whether uuids is a list with the agent in it')
      .of(isListed(listed, agent.id))
      .is(true)
    const record = await registrar.read(agent.id, verifier.admin)
    check('REG-LIST-UUIDS', 'whether the listed agent has a record').of(isSuccess(record)).is(true)
    await registrar.delete(agent.id, verifier.admin)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-DELETE-REMOVES', 'reading the deleted agent')
      .of(seen)
      .matches(...REFUSED)
    const after = await registrar.list(verifier.admin)
    check('REG-DELETE-REMOVES', 'whether the deleted agent is listed')
      .of(isListed(after, agent.id))
      .is(false)
  },
})

function isListed(reply: Reply, agentId: string): boolean | undefined {
  const uuids = results(reply, 'uuids')
  return Array.isArray(uuids) ? uuids.includes(agentId) : undefined
}
