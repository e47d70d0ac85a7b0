import { scenario } from '../../../conformance/scenario.ts'
import { addByWeb, textsIn } from '../support/web-requests.ts'

export default scenario({
  id: 'tenant-web.logs',
  title: 'The web application lists its logs, and shows one of them from a position on',
  requirements: ['LEG-WEB-LOGS', 'LEG-WEB-LOG', 'LEG-WEB-LOG-POS', 'LEG-WEB-LOG-POS-OPTIONAL'],
  role: 'tenant_web',
  since: '2.0',
  until: '2.0',
  async run({ tenants, check }) {
    const stage = await tenants.stage()
    const web = await stage.web()
    await addByWeb(web, stage, {})
    const logs = await web.ask('GET', '/logs/')
    check('LEG-WEB-LOGS', 'status of the list of logs').of(logs.status).is(200)
    const [type = 'tenant'] = textsIn(logs)
    const log = async (query: string) => {
      const reply = await web.ask('GET', `/logs/${encodeURIComponent(type)}${query}`)
      return { status: reply.status, text: textsIn(reply).join('\n') }
    }
    const whole = await log('?pos=0')
    check('LEG-WEB-LOG', `status of the log ${type}`).of(whole.status).is(200)
    check('LEG-WEB-LOG', 'characters in it')
      .of(whole.text.length)
      .matches('some', (length) => length > 0)
    const without = await log('')
    check('LEG-WEB-LOG-POS-OPTIONAL', 'status without pos').of(without.status).is(200)
    check('LEG-WEB-LOG-POS-OPTIONAL', 'whether there is a log without pos')
      .of(without.text.length > 0)
      .is(true)
    const later = await log('?pos=1')
    check('LEG-WEB-LOG-POS', 'whether pos=1 gives a later part of the log')
      .of(later.status === 200 && later.text !== whole.text && whole.text.endsWith(later.text))
      .is(true)
  },
})
