import { scenario } from '../../conformance/scenario.ts'
import { addedBody, requireU, tenantKeys, tenantOperations } from './support/tenant-operations.ts'

export default scenario({
  id: 'tenant.capitals',
  title:
    'A tenant makes the auth_tag over the UUID of an agent as it is registered, with capital letters, and adds and deletes it under that',
  requirements: ['TEN-SENDS-AUTH-TAG', 'TEN-MANAGES-AGENTS'],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'tenant.added',
  async run({ tenants, check }) {
    const stage = await tenants.stage({ capitals: true })
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId)
    const operations = tenantOperations(stage)
    requireU(operations, code)
    check('TEN-SENDS-AUTH-TAG', 'the tag is over the UUID with K')
      .of(tenantKeys(stage, addedBody(operations, code)).tagFits)
      .is(true)
    await stage.run('-c', 'delete', '-u', stage.agentId)
    check('TEN-MANAGES-AGENTS', 'changes of agents by add and delete')
      .of(tenantOperations(stage).order.filter((one) => /^(POST|DELETE) \/agents\//.test(one)))
      .is([`POST /agents/${stage.agentId}`, `DELETE /agents/${stage.agentId}`])
  },
})
