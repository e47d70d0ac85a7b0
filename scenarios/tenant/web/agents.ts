import { scenario } from '../../../conformance/scenario.ts'
import { askedFor, listDuringFailure } from '../support/web-requests.ts'

export default scenario({
  id: 'tenant-web.agents',
  title: 'The web application lists the registered agents, and shows one of them',
  requirements: ['LEG-WEB-LIST', 'LEG-WEB-READ', 'LEG-WEB-CURRENT'],
  role: 'tenant_web',
  since: '2.0',
  until: '2.0',
  async run(context) {
    const { tenants, check, observe } = context
    const stage = await tenants.stage()
    const web = await stage.web()
    const list = await web.ask('GET', '/agents/')
    check('LEG-WEB-LIST', 'whether the list has the agent')
      .of(list.text.includes(stage.agentId))
      .is(true)
    const before = askedFor(stage)
    const record = await web.ask('GET', `/agents/${stage.agentId}`)
    check('LEG-WEB-READ', 'status of its record').of(record.status).is(200)
    check('LEG-WEB-READ', 'whether a server is asked for it')
      .of(askedFor(stage) > before)
      .is(true)
    check('LEG-WEB-CURRENT', 'status of the list')
      .of(list.status)
      .meets({
        current: (status) => status === 200,
        history: (status) => status === 404 || status === 410,
      })
    const during = await listDuringFailure(web, stage, context)
    if (during !== undefined)
      check('LEG-WEB-LIST', 'whether the list has the agent while a request for its record fails')
        .of(during.text.includes(stage.agentId))
        .is(true)
    const { status, failure } = await web.askAsStranger('GET', '/agents/')
    observe('LEGAUTH', 'the list without a certificate', status ?? failure)
  },
})
