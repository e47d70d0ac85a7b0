import { REFUSED, results, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'registrar.agents.listed-and-deleted',
  title: 'A registered agent is listed, and a deleted one is gone',
  requirements: ['REG-LIST-UUIDS', 'REG-DELETE-REMOVES'],
  role: 'registrar',
  since: '2.1',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const listed = await registrar.list(verifier.admin)
    check('REG-LIST-UUIDS', 'uuids')
      .of(results(listed, 'uuids'))
      .matches(
        `a list with ${agent.id} in it`,
        (uuids) => Array.isArray(uuids) && uuids.includes(agent.id),
      )
    await registrar.delete(agent.id, verifier.admin)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-DELETE-REMOVES', 'reading the deleted agent')
      .of(seen)
      .matches(...REFUSED)
    const after = await registrar.list(verifier.admin)
    check('REG-DELETE-REMOVES', 'uuids after the deletion')
      .of(results(after, 'uuids'))
      .matches(
        `a list without ${agent.id}`,
        (uuids) => Array.isArray(uuids) && !uuids.includes(agent.id),
      )
  },
})
