import { results, scenario } from '../../../conformance/scenario.ts'
import { firstText } from '../support/tenant-web.ts'

const FAR = 1_000_000_000

export default scenario({
  id: 'tenant.web.logs',
  title: 'The web application of a tenant lists its logs, and returns one from a position',
  requirements: [...['LEG-WEB-LOGS', 'LEG-WEB-LOG', 'LEG-WEB-LOG-POS', 'LEG-WEB-LOG-POS-OPTIONAL']],
  role: 'tenant',
  seconds: 3,
  since: '2.0',
  until: '2.0',
  async run({ tenants, check, observe }) {
    const stage = await tenants.stage()
    const web = await stage.web()
    const list = await web.ask('GET', '/logs/')
    check('LEG-WEB-LOGS', 'HTTP status').of(list.status).is(200)
    // The document does not show the list: the first text in it is taken for the name of a log.
    const name = firstText(results(list)) ?? ''
    observe('WEBAPP', 'the type of log that is read', name)
    const path = `/logs/${encodeURIComponent(name)}`
    const whole = await web.ask('GET', path)
    for (const id of ['LEG-WEB-LOG', 'LEG-WEB-LOG-POS-OPTIONAL'])
      check(id, 'HTTP status').of(whole.status).is(200)
    const first = await web.ask('GET', `${path}?pos=0`)
    check('LEG-WEB-LOG-POS', 'HTTP status from 0 on').of(first.status).is(200)
    const far = await web.ask('GET', `${path}?pos=${FAR}`)
    check('LEG-WEB-LOG-POS', 'whether there is more from a position far behind the end on')
      .of(far.text.length > first.text.length)
      .is(false)
  },
})
