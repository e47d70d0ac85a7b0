import { results, scenario } from '../../../conformance/scenario.ts'

/** Whether the agent activates each registration after the third, up to the seventeenth: every second one. */
const ACTIVATED = Array.from({ length: 14 }, (_, at) => at % 2 === 1)

export default scenario({
  id: 'registrar.records.counted',
  title:
    'The registrar starts regcount at 0 or 1, never decreases it, and resets it after a deletion',
  requirements: [
    ...['REG-RECORD-REGCOUNT-START', 'REG-REGCOUNT-FORWARD', 'REG-REGCOUNT-SAME-KEYS'],
    'REG-JSON',
  ],
  role: 'registrar',
  since: '2.1',
  async run({ registrar, verifier, machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const read = () => registrar.read(agent.id, verifier.admin)
    const count = async () => Number(results(await read(), 'regcount'))
    const { headers } = await read()
    check('REG-JSON', 'media type of the record')
      .of(headers['content-type'])
      .matches('application/json', (type) => type?.startsWith('application/json') === true)
    const first = await count()
    check('REG-RECORD-REGCOUNT-START', 'regcount')
      .of(first)
      .meets({ 0: (count) => count === 0, 1: (count) => count === 1 })
    const again = async () => {
      const tag = await agent.openBlob(await agent.register())
      for (const _ of ['once', 'repeated, which registers nothing']) await agent.activate(tag)
    }
    await again()
    const second = await count()
    await again()
    const third = await count()
    const counts = [first, second, third]
    for (const isActivated of ACTIVATED) {
      const registration = await agent.register()
      if (isActivated) await agent.activate(await agent.openBlob(registration))
      counts.push(await count())
    }
    check('REG-REGCOUNT-FORWARD', `regcount after each of ${counts.length} registrations`)
      .of(counts)
      .matches('numbers that do not decrease', (seen) =>
        seen.every((each, at) => each >= (seen[at - 1] ?? 0)),
      )
    check('REG-REGCOUNT-SAME-KEYS', 'increase over two registrations with the same keys')
      .of(third - first)
      .meets({ counted: (count) => count === 2, 'not counted': (count) => count === 0 })
    await registrar.delete(agent.id, verifier.admin)
    await again()
    observe('regcount-after-deletion', 'regcount', await count())
  },
})
