import { listOf, type Reply, results, scenario } from '../../../conformance/scenario.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export default scenario({
  id: 'registrar.records.listed',
  title: 'The registrar lists each agent once and in order until it is deleted',
  requirements: [
    'REG-LIST-STATUS',
    'REG-LIST-ELEMENT-UUID',
    'REG-LIST-ORDERED',
    'REG-LIST-NO-DUPLICATE',
    'REG-READ-STATUS',
    'REG-DELETE-STATUS',
    'REG-DELETE-EMPTY',
    'REG-DELETE-ONLY-ONE',
  ],
  role: 'registrar',
  since: '2.1',
  async run({ registrar, verifier, machines, check, random }) {
    // By value, and the last three of them negative as signed numbers.
    const [lowest = '', low = '', middle = '', high = '', highest = ''] = [...'159cf'].map(
      (digit) => digit + random.uuid().slice(1),
    )
    // The order of registration is not that of the values, nor the reverse of it. Five, as any order of three agents
    // is one of the two often.
    const [first, second, ...others] = [
      await machines.pushAgent({ id: middle, until: 'activated' }),
      await machines.pushAgent({ id: lowest, until: 'activated' }),
      await machines.pushAgent({ id: highest, until: 'activated' }),
      await machines.pushAgent({ id: low, until: 'activated' }),
      await machines.pushAgent({ id: high, until: 'activated' }),
    ]
    await first.register()
    const remaining = [first.id, ...others.map(({ id }) => id)]
    const made = [first.id, second.id, ...others.map(({ id }) => id)]
    const ours = (reply: Reply) =>
      listOf(results(reply, 'uuids'))?.filter((uuid) => made.includes(String(uuid)))
    const listed = await registrar.list(verifier.admin)
    check('REG-LIST-STATUS', 'HTTP status').of(listed.status).is(200)
    check('REG-LIST-ELEMENT-UUID', 'these agents in the list')
      .of(ours(listed))
      .matches('UUIDs', (uuids) => uuids?.every((uuid) => UUID.test(String(uuid))) === true)
    check('REG-LIST-NO-DUPLICATE', 'occurrences of each in the list').of(ours(listed)?.length).is(5)
    check('REG-LIST-ORDERED', 'these agents in the list')
      .of(ours(listed))
      .meets({
        'by value': (uuids) => String(uuids) === String(made.toSorted()),
        'by registration': (uuids) => String(uuids) === String(made),
      })
    const read = await registrar.read(second.id, verifier.admin)
    check('REG-READ-STATUS', 'HTTP status').of(read.status).is(200)
    const deleted = await registrar.delete(second.id, verifier.admin)
    check('REG-DELETE-STATUS', 'HTTP status').of(deleted.status).is(200)
    check('REG-DELETE-EMPTY', 'results').of(results(deleted)).is({})
    check('REG-DELETE-ONLY-ONE', 'the remaining agents')
      .of(ours(await registrar.list(verifier.admin))?.toSorted())
      .is(remaining.toSorted())
  },
})
