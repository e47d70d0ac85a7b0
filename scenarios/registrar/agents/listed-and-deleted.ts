import { isSuccess, REFUSED, type Reply, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.agents.listed-and-deleted',
  title:
    'The registrar lists a registered agent and removes a deleted one, which no earlier tag brings back',
  requirements: ['REG-LIST-UUIDS', 'REG-DELETE-REMOVES'],
  role: 'registrar',
  since: '2.1',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const tag = await agent.openBlob(await agent.register())
    await agent.activate(tag)
    const listed = await registrar.list(verifier.admin)
    check('REG-LIST-UUIDS', 'whether uuids is a list with the agent in it')
      .of(isListed(listed, agent.id))
      .is(true)
    const record = await registrar.read(agent.id, verifier.admin)
    check('REG-LIST-UUIDS', 'whether the listed agent has a record').of(isSuccess(record)).is(true)
    await registrar.delete(agent.id, verifier.admin)
    const { id } = await machines.pushAgent({ until: 'activated' })
    check('REG-LIST-UUIDS', 'whether an agent that came in its place is listed')
      .of(isListed(await registrar.list(verifier.admin), id))
      .is(true)
    const checkRemoved = async (when: string) => {
      check('REG-DELETE-REMOVES', `reading the agent ${when}`)
        .of(await registrar.read(agent.id, verifier.admin))
        .matches(...REFUSED)
      check('REG-DELETE-REMOVES', `whether the agent is listed ${when}`)
        .of(isListed(await registrar.list(verifier.admin), agent.id))
        .is(false)
    }
    await checkRemoved('after its deletion')
    await agent.activate(tag) // the defect: the registration of this tag is deleted
    await checkRemoved('after its deletion and the tag of its activation')
  },
})

function isListed(reply: Reply, agentId: string): boolean | undefined {
  const uuids = results(reply, 'uuids')
  return Array.isArray(uuids) ? uuids.includes(agentId) : undefined
}
