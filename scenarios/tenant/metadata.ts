import { jsonIn, scenario } from '../../conformance/scenario.ts'
import { authoritiesIn, newDirectory, othersWithSerial } from './support/tenant-keys.ts'
import { addedBody, tenantOperations } from './support/tenant-operations.ts'

const ID = 'TEN-METADATA-CA'

export default scenario({
  id: 'tenant.metadata',
  title: 'A tenant with a certificate authority adds an agent with the data of its certificate',
  requirements: [ID],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ tenants, check, observe }) {
    const stage = await tenants.stage()
    const directory = newDirectory(stage)
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '--cert', directory)
    observe('TENANTEXIT', 'exit code', code)
    const body = addedBody(tenantOperations(stage), code)
    const { cert_serial: serial, subject } = Object(jsonIn(body['metadata']))
    check(ID, 'subject')
      .of(typeof subject === 'string' ? subject : undefined)
      .matches('a text', (text = '') => text !== '')
    check(ID, 'cert_serial')
      .of<unknown>(serial)
      .matches('a number or a text', (one) => /^\w+$/.test(String(one ?? '')))
    check(ID, 'whether cert_serial is that of an authority')
      .of(authoritiesIn(directory).includes(String(serial).toUpperCase()))
      .is(false)
    const names = [String(subject), stage.agentId]
    check(ID, 'certificates of other subjects, by the same authority, that have cert_serial')
      .of(othersWithSerial(directory, { serial: String(serial), names }))
      .is([])
  },
})
