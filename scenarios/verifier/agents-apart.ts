import { REFUSED, type Reply, results, scenario } from '../../conformance/scenario.ts'

/** Ports at the boundaries of signed and unsigned numbers. */
const PORTS = ['9', '32768', '65535']
const SHOWN = ['operational_state', 'ip', 'port', 'tpm_policy', 'meta_data', 'accept_tpm_hash_algs']

export default scenario({
  id: 'verifier.agents-apart',
  title:
    'The verifier keeps agents with the same key apart when one of them is stopped, deleted or added again',
  requirements: [
    ...['VER-DELETE-REMOVES', 'VER-DELETE-ONLY-ONE', 'VER-STOP-ONLY-ONE', 'VER-STATUS-PORT-VALUE'],
    ...['VER-STATUS-META-VALUE', 'VER-STATUS-COUNT-ZERO', 'VER-ADD-STATUS'],
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, random, check }) {
    const addOne = async (port: string) => {
      const agent = await machines.softAgent({ until: 'activated' })
      await agent.enrol(membersOf(port))
      return { id: agent.id, port, enrol: agent.enrol }
    }
    const agents = await Promise.all(PORTS.map(addOne))
    const [first, ...others] = agents
    const read = async (id = '') => verifier.readAgent(id)
    const records = async () => (await Promise.all(others.map(({ id }) => read(id)))).map(shown)
    const checkValues = async (id: string | undefined, port: string) => {
      const record = await read(id)
      check('VER-STATUS-PORT-VALUE', 'port')
        .of(results(record, 'port'))
        .matches(`${port}, as a text or a number`, (shown) => String(shown) === port)
      check('VER-STATUS-META-VALUE', 'metadata')
        .of(results(record, 'meta_data') ?? results(record, 'metadata'))
        .is(membersOf(port).metadata)
    }
    for (const { id, port } of agents) await checkValues(id, port)
    const before = await records()
    await verifier.call('stop', { as: verifier.admin, params: { agent_id: first?.id ?? '' } })
    check('VER-STOP-ONLY-ONE', 'records of the others after a stop')
      .of(await records())
      .is(before)
    await verifier.deleteAgent(others[0]?.id.replace(/.$/, '_') ?? '') // an id that no agent has
    await verifier.deleteAgent(first?.id ?? '')
    check('VER-DELETE-ONLY-ONE', 'records of the others after two deletions')
      .of(await records())
      .is(before)
    for (const [id, says] of [
      [first?.id, 'the deleted agent'],
      [random.uuid(), 'an unknown agent'],
    ])
      check('VER-DELETE-REMOVES', `reading ${says}`)
        .of(await read(id))
        .matches(...REFUSED)
    const again = await first?.enrol(membersOf('1024'))
    check('VER-ADD-STATUS', 'HTTP status of adding it again').of(again?.status).is(200)
    await checkValues(first?.id, '1024')
    check('VER-STATUS-COUNT-ZERO', 'attestation_count of the agent that was added again')
      .of(results(await read(first?.id), 'attestation_count'))
      .is(0)
  },
})

function membersOf(port: string) {
  return { cloudagent_port: port, metadata: JSON.stringify({ port }) }
}

function shown(record: Reply): readonly unknown[] {
  return SHOWN.map((member) => results(record, member))
}
