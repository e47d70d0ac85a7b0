import { isSuccess, type Reply, results, scenario } from '../../../conformance/scenario.ts'
import { SOME_SERVER_CERTIFICATE } from '../support/engine.ts'

/** Contact data of the first registration. */
const FIRST: readonly (readonly [says: string, members: Readonly<Record<string, unknown>>])[] = [
  ['with an address', {}],
  ['without an address', { ip: undefined, port: undefined }],
]

export default scenario({
  id: 'registrar.binding.replayed',
  title:
    'The registrar does not change an active record for a repeated registration with other contact data',
  requirements: ['REG-REPLAY-HARMLESS'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.repeated',
  async run({ registrar, verifier, machines, check }) {
    for (const [says, members] of FIRST) {
      const agent = await machines.lightAgent({ until: 'booted' })
      await agent.activate(await agent.openBlob(await agent.register(members)))
      const read = () => registrar.read(agent.id, verifier.admin)
      const { regcount: _, ...before } = recordIn(await read())
      const other = { ip: '203.0.113.9', port: '9555', mtls_cert: SOME_SERVER_CERTIFICATE }
      await agent.register(other) // the defect: the blob is not opened
      const reply = await read()
      const isActive = check('REG-REPLAY-HARMLESS', `reading the record ${says} afterwards`)
        .of(reply)
        .matches('a success', isSuccess)
      const { regcount: __, ...after } = recordIn(reply)
      if (isActive)
        check('REG-REPLAY-HARMLESS', `the record ${says}, except regcount`).of(after).is(before)
    }
  },
})

function recordIn(reply: Reply): { readonly regcount?: unknown } {
  return { ...(results(reply) as object) }
}
