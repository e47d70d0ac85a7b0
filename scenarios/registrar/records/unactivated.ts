import { listOf, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.records.unactivated',
  title: 'The registrar returns an unactivated registration at once, or not at all',
  requirements: ['REG-UNACTIVATED-LISTED', 'REG-UNACTIVATED-READ', 'REG-ACTIVATE-EMPTY'],
  role: 'registrar',
  provesFunction: true,
  since: '2.1',
  async run({ registrar, verifier, machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const registration = await agent.register()
    const uuids = listOf(results(await registrar.list(verifier.admin), 'uuids'))
    check('REG-UNACTIVATED-LISTED', 'whether it is listed')
      .of(uuids?.includes(agent.id))
      .meets({ listed: (is) => is === true, absent: (is) => is === false })
    const read = await registrar.read(agent.id, verifier.admin)
    check('REG-UNACTIVATED-READ', 'status of reading it')
      .of(read.status)
      .meets({
        read: (status) => status === 200,
        absent: (status) => status === 403 || status === 404,
      })
    observe('unactivated-listed', 'whether it is listed', uuids?.includes(agent.id))
    observe('unactivated-read', 'status of reading it', read.status)
    const activation = await agent.activate(await agent.openBlob(registration))
    check('REG-ACTIVATE-EMPTY', 'results of the activation').of(results(activation)).is({})
  },
})
