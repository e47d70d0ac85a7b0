import { scenario } from '../../conformance/scenario.ts'
import { requireU, tenantOperations } from './support/tenant-operations.ts'

export default scenario({
  id: 'tenant.version-unanswered',
  title: 'A tenant adds an agent that does not implement GET /version',
  requirements: ['TEN-NEGOTIATES', 'TEN-MANAGES-AGENTS'],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'tenant.added',
  async run({ tenants, check }) {
    const agentVersions = ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5']
    const stage = await tenants.stage({ agentVersions, withoutVersionRoute: true })
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId)
    const operations = tenantOperations(stage)
    const { added, agentPaths } = operations
    const spoken = agentPaths.filter((path) => path.startsWith('/v') && path !== '/version')
    check('TEN-NEGOTIATES', 'requests under a version of the agent')
      .of(
        spoken.filter((path) => agentVersions.includes(path.split('/')[1]?.slice(1) ?? '')).length,
      )
      .matches('all of them, and one at least', (count) => count > 0 && count === spoken.length)
    requireU(operations, code)
    check('TEN-MANAGES-AGENTS', 'agents added at the verifier').of(added.length).is(1)
  },
})
