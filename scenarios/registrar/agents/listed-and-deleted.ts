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
    const later = await machines.pushAgent({ until: 'activated' })
    check('REG-LIST-UUIDS', 'whether an agent that came in its place is listed')
      .of(isListed(await registrar.list(verifier.admin), later.id))
      .is(true)
    const checkRemoved = async ({ id }: { readonly id: string }, when: string) => {
      check('REG-DELETE-REMOVES', `reading the agent ${when}`)
        .of(await registrar.read(id, verifier.admin))
        .matches(...REFUSED)
      check('REG-DELETE-REMOVES', `whether the agent is listed ${when}`)
        .of(isListed(await registrar.list(verifier.admin), id))
        .is(false)
    }
    await checkRemoved(agent, 'after its deletion')
    await agent.activate(tag) // the defect: the registration of this tag is deleted
    await checkRemoved(agent, 'after its deletion and the tag of its activation')
    const newer = await later.openBlob(await later.register())
    await registrar.delete(later.id, verifier.admin)
    await later.activate(newer) // the defect: the deletion ended this registration too
    await checkRemoved(later, 'after its deletion and the tag of a registration before it')
    const inactive = await machines.lightAgent({ until: 'booted' })
    const first = await inactive.openBlob(await inactive.register())
    const deletion = await registrar.delete(inactive.id, verifier.admin)
    if (!isSuccess(deletion)) return
    await inactive.activate(first) // the defect
    await checkRemoved(inactive, 'that was deleted before its activation')
  },
})

function isListed(reply: Reply, agentId: string): boolean | undefined {
  const uuids = results(reply, 'uuids')
  return Array.isArray(uuids) ? uuids.includes(agentId) : undefined
}
