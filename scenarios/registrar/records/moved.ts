import { isSuccess, listOf, results, scenario } from '../../../conformance/scenario.ts'
import { SOME_SERVER_CERTIFICATE } from '../support/engine.ts'

const LAST = { ip: '127.0.0.3', port: '9557', mtls_cert: SOME_SERVER_CERTIFICATE }

export default scenario({
  id: 'registrar.records.moved',
  title: 'The registrar returns the contact data of the last registration that was activated',
  requirements: [
    ...['REG-RECORD-IP', 'REG-RECORD-PORT', 'REG-RECORD-MTLS-CERT'],
    ...['REG-RECORD-IP-NULL', 'REG-RECORD-PORT-NULL', 'REG-LIST-UUIDS'],
  ],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.records.contact',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.lightAgent({ until: 'activated' })
    for (const says of ['', ', which the record had already']) {
      await agent.register({ ip: '127.0.0.2', port: '9556' }) // its blob is not opened
      await agent.activate(await agent.openBlob(await agent.register(LAST)))
      const record = await registrar.read(agent.id, verifier.admin)
      check('REG-RECORD-IP', `ip${says}`).of(results(record, 'ip')).is(LAST.ip)
      check('REG-RECORD-PORT', `port${says}`)
        .of(results(record, 'port'))
        .meets({ integer: (port) => port === 9557, text: (port) => port === '9557' })
      check('REG-RECORD-MTLS-CERT', `mtls_cert${says}`)
        .of(results(record, 'mtls_cert'))
        .matches('the last certificate', (text) => {
          return String(text).trim() === SOME_SERVER_CERTIFICATE.trim()
        })
    }
    const without = await agent.register({ ip: undefined, port: undefined })
    await agent.activate(await agent.openBlob(without))
    const bare = await registrar.read(agent.id, verifier.admin)
    check('REG-RECORD-IP-NULL', 'ip after a registration without it')
      .of(results(bare, 'ip'))
      .is(null)
    check('REG-RECORD-PORT-NULL', 'port after a registration without it')
      .of(results(bare, 'port'))
      .is(null)
    const uuids = listOf(results(await registrar.list(verifier.admin), 'uuids'))
    check('REG-LIST-UUIDS', 'whether the agent is listed after a registration without an address')
      .of(uuids?.includes(agent.id))
      .is(true)
    const unusual = async (members: Readonly<Record<string, string>>) => {
      const reply = await agent.register(members)
      if (!isSuccess(reply)) return undefined
      await agent.activate(await agent.openBlob(reply))
      return registrar.read(agent.id, verifier.admin)
    }
    const padded = await unusual({ ip: '192.168.010.001' }) // no usual form of an address
    if (padded !== undefined)
      check('REG-RECORD-IP', 'ip whose numbers begin with zeros')
        .of(results(padded, 'ip'))
        .isOneOf(['192.168.010.001', '192.168.10.1', null])
    const high = await unusual({ port: '70000' }) // above the last port
    if (high !== undefined)
      check('REG-RECORD-PORT', 'port above 65535, which was accepted')
        .of(results(high, 'port'))
        .meets(
          { integer: (port) => port === 70000, text: (port) => port === '70000' },
          '70000, an integer or a text',
        )
  },
})
