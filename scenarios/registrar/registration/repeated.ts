import { results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.registration.repeated',
  title: 'The registrar answers a repeated registration with a new blob, and keeps the record',
  requirements: ['REG-BLOB-FRESH', 'REG-READ-STATUS'],
  role: 'registrar',
  provesFunction: true,
  since: '2.1',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const first = await agent.register()
    await agent.activate(await agent.openBlob(first))
    const second = await agent.register()
    check('REG-BLOB-FRESH', 'blob of the second registration')
      .of(results(second, 'blob'))
      .isNot(results(first, 'blob'))
    await agent.activate(await agent.openBlob(second))
    const after = await registrar.read(agent.id, verifier.admin)
    check('REG-READ-STATUS', 'HTTP status of reading it').of(after.status).is(200)
  },
})
