import { scenario } from '../../../conformance/scenario.ts'
import { tenantOperations } from '../support/tenant-operations.ts'

export default scenario({
  id: 'tenant.web.agents',
  title:
    'The web application of a tenant lists, reads, adds and takes agents by the legacy listing',
  requirements: [
    ...['LEG-WEB-LIST', 'LEG-WEB-READ', 'LEG-WEB-POST', 'LEG-WEB-POST-IP', 'LEG-WEB-PUT'],
    'LEG-WEB-CURRENT',
  ],
  role: 'tenant',
  seconds: 3,
  since: '2.0',
  until: '2.0',
  async run({ tenants, check, observe }) {
    const stage = await tenants.stage()
    const web = await stage.web()
    const list = await web.ask('GET', '/agents/')
    check('LEG-WEB-CURRENT', 'HTTP status of the list, where the target file names the application')
      .of(list.status)
      .meets({ current: (status) => status === 200 })
    check('LEG-WEB-LIST', 'HTTP status').of(list.status).is(200)
    check('LEG-WEB-LIST', 'whether the registered agent is in the list')
      .of(list.text.includes(stage.agentId))
      .is(true)
    const path = `/agents/${stage.agentId}`
    const added = await web.ask('POST', path, { body: { ip: '127.0.0.1' } })
    check('LEG-WEB-POST', 'HTTP status').of(added.status).is(200)
    check('LEG-WEB-POST', 'agents that were added at the verifier')
      .of(tenantOperations(stage).added.length)
      .is(1)
    check('LEG-WEB-POST-IP', 'whether the agent at that address was contacted')
      .of(tenantOperations(stage).countRequests('agent') > 0)
      .is(true)
    const read = await web.ask('GET', path)
    check('LEG-WEB-READ', 'HTTP status').of(read.status).is(200)
    const taken = await web.ask('PUT', path, { body: {} })
    check('LEG-WEB-PUT', 'HTTP status').of(taken.status).is(200)
    observe('WEBAPP', 'its requests, in order', tenantOperations(stage).order)
  },
})
