import { results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.binding.replayed',
  title:
    'The registrar does not change an active record for a repeated registration with another address',
  requirements: ['REG-REPLAY-HARMLESS'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  variantOf: 'registrar.registration.repeated',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const read = async () => results(await registrar.read(agent.id, verifier.admin)) as object
    const { regcount: _, ...before } = { regcount: undefined, ...(await read()) }
    await agent.register({ ip: '203.0.113.9' }) // the defect: the blob is not opened
    const { regcount: __, ...after } = { regcount: undefined, ...(await read()) }
    check('REG-REPLAY-HARMLESS', 'the record except regcount').of(after).is(before)
  },
})
