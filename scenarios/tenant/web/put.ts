import { scenario } from '../../../conformance/scenario.ts'
import { tenantOperations } from '../support/tenant-operations.ts'
import { addByWeb, askedFor } from '../support/web-requests.ts'

export default scenario({
  id: 'tenant-web.put',
  title: 'The web application takes a PUT of an agent that was added',
  requirements: ['LEG-WEB-PUT'],
  role: 'tenant_web',
  since: '2.0',
  until: '2.0',
  async run({ tenants, check, observe }) {
    // The servers know the agent by its id as it is registered.
    const stage = await tenants.stage({ capitals: true })
    const web = await stage.web()
    await addByWeb(web, stage, {})
    const before = askedFor(stage)
    const { status } = await web.ask('PUT', `/agents/${stage.agentId}`)
    check('LEG-WEB-PUT', 'its status').of(status).is(200)
    check('LEG-WEB-PUT', 'whether a server is asked for the agent')
      .of(askedFor(stage) > before)
      .is(true)
    observe('WEBAPP', 'the last request that follows', tenantOperations(stage).order.at(-1))
  },
})
