import { scenario } from '../../../conformance/scenario.ts'
import { OTHER_HOST } from '../support/engine.ts'
import { addByWeb } from '../support/web-requests.ts'

export default scenario({
  id: 'tenant-web.added',
  title: 'The web application adds an agent at the IP address that the request gives',
  requirements: ['LEG-WEB-POST', 'LEG-WEB-POST-IP'],
  role: 'tenant_web',
  provesFunction: true,
  since: '2.0',
  until: '2.0',
  async run({ tenants, check }) {
    const stage = await tenants.stage({
      agentHost: OTHER_HOST,
      mutateRecord: (record) => ({ ...record, ip: '127.0.0.9' }),
    })
    const { added, ip } = await addByWeb(await stage.web(), stage, { ip: OTHER_HOST })
    check('LEG-WEB-POST', 'agents added at the verifier').of(added).is(1)
    check('LEG-WEB-POST-IP', 'address of the agent at the verifier').of(ip).is(OTHER_HOST)
  },
})
