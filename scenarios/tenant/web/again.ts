import { scenario } from '../../../conformance/scenario.ts'
import { tenantOperations } from '../support/tenant-operations.ts'
import { addByWeb, IP } from '../support/web-requests.ts'

export default scenario({
  id: 'tenant-web.again',
  title: 'The web application adds an agent after an attempt that failed',
  requirements: ['LEG-WEB-POST'],
  role: 'tenant_web',
  since: '2.0',
  until: '2.0',
  variantOf: 'tenant-web.added',
  async run({ tenants, check, observe }) {
    const stage = await tenants.stage()
    const web = await stage.web()
    const body = { code: 500, status: 'Internal Server Error', results: {} }
    stage.intercept((peer) => (peer === 'verifier' ? { status: 500, body } : undefined)) // the defect
    const failed = await web.ask('POST', `/agents/${stage.agentId}`, { ip: IP })
    observe('WEBAPP', 'status of an addition for which the verifier has an error', failed.status)
    stage.intercept(undefined)
    const before = tenantOperations(stage).added.length
    const { added, tagFits } = await addByWeb(web, stage, {})
    const isAdded = check('LEG-WEB-POST', 'agents added by the next attempt')
      .of(added - before)
      .is(1)
    if (isAdded)
      check('LEG-WEB-POST', 'whether the tag of its U key is over the UUID with K')
        .of(tagFits)
        .is(true)
  },
})
