import { scenario } from '../../../conformance/scenario.ts'
import { addByWeb } from '../support/tenant-web.ts'

const AUTHORITY = ['LEG-WEB-POST-CA-DIR', 'LEG-WEB-POST-CA-DIR-PW']
const INCLUDED = ['LEG-WEB-POST-INCLUDE-DIR-DATA', 'LEG-WEB-POST-INCLUDE-DIR-NAME']
const NAME = 'included-by-the-harness.txt'

export default scenario({
  id: 'tenant.web.authority',
  title: 'The web application of a tenant makes a payload of an authority and of included files',
  requirements: [...AUTHORITY, ...INCLUDED],
  role: 'tenant',
  seconds: 3,
  since: '2.0',
  until: '2.0',
  async run({ tenants, check }) {
    const { reply, payload } = await addByWeb({ tenants }, (encode) => ({
      ca_dir: 'authority-of-the-harness',
      ca_dir_pw: 'a passphrase',
      include_dir_data: [encode('a file of the harness\n')],
      include_dir_name: [NAME],
    }))
    for (const id of [...AUTHORITY, ...INCLUDED]) check(id, 'HTTP status').of(reply.status).is(200)
    for (const id of AUTHORITY)
      check(id, 'whether the agent received a payload under K')
        .of(payload !== undefined)
        .is(true)
    for (const id of INCLUDED)
      check(id, 'whether the payload names the included file')
        .of(payload?.includes(NAME) === true)
        .is(true)
  },
})
