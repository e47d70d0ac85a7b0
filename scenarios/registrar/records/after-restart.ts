import { listOf, results, scenario } from '../../../conformance/scenario.ts'
import { restartRegistrar, SOME_SERVER_CERTIFICATE } from '../support/engine.ts'

/** What an agent may register in addition to its keys. */
const LAST = { ip: '127.0.0.3', port: '9557', mtls_cert: SOME_SERVER_CERTIFICATE }

export default scenario({
  id: 'registrar.records.after-restart',
  title: 'The registrar keeps its records over a restart, and counts on from them',
  requirements: ['REG-KEEPS-RECORDS', 'REG-REGCOUNT-FORWARD', 'REG-LIST-NO-DUPLICATE'],
  role: 'registrar',
  since: '2.5',
  until: '2.5',
  alone: true,
  variantOf: 'registrar.records.contact',
  async run(context) {
    const { registrar, verifier, machines, check } = context
    const agent = await machines.pushAgent({ until: 'activated' })
    const again = async () => agent.activate(await agent.openBlob(await agent.register(LAST)))
    const read = async () => Object(results(await registrar.read(agent.id, verifier.admin)))
    const deleted = await machines.pushAgent({ until: 'activated' })
    await again()
    await registrar.delete(deleted.id, verifier.admin)
    const before = await read()
    await restartRegistrar(context)
    const after = await read()
    const lost = ['aik_tpm', ...Object.keys(before)].filter((name) => {
      return (
        after[name] === undefined || JSON.stringify(after[name]) !== JSON.stringify(before[name])
      )
    })
    const isKept = check('REG-KEEPS-RECORDS', 'members of the record that the restart changed')
      .of(lost)
      .is([])
    if (!isKept) return
    await again()
    check('REG-REGCOUNT-FORWARD', 'regcount after a registration that follows the restart')
      .of((await read()).regcount)
      .matches('no less than before', (count) => Number(count) >= Number(before.regcount))
    const uuids = listOf(results(await registrar.list(verifier.admin), 'uuids')) ?? []
    check('REG-LIST-NO-DUPLICATE', 'how often the agent is listed, and a deleted one')
      .of([agent, deleted].map(({ id }) => uuids.filter((uuid) => uuid === id).length))
      .is([1, 0])
  },
})
