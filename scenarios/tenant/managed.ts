import { scenario } from '../../conformance/scenario.ts'
import { tenantOperations } from './support/tenant-operations.ts'

export default scenario({
  id: 'tenant.managed',
  title:
    'A tenant deletes and reactivates agents, stores policies, and adds an agent with a named policy',
  requirements: ['TEN-MANAGES-AGENTS', 'TEN-MANAGES-POLICIES', 'TEN-POLICY-NAMES'],
  role: 'tenant',
  seconds: 5,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ tenants, machines, check }) {
    const stage = await tenants.stage()
    const policy = stage.file('policy.json', machines.policyOfBoot())
    const by = ['-u', stage.agentId]
    const name = ['--runtime-policy-name', 'of-the-harness']
    const stored = await stage.run('-c', 'addruntimepolicy', ...name, '--runtime-policy', policy)
    check('TEN-MANAGES-POLICIES', 'exit code of addruntimepolicy').of(stored.code).is(0)
    const { countRequests, order } = tenantOperations(stage)
    check('TEN-MANAGES-POLICIES', 'requests to the verifier')
      .of(countRequests('verifier') > 0)
      .is(true)
    check('TEN-MANAGES-POLICIES', 'a policy was posted')
      .of(order.includes('POST /allowlists/of-the-harness'))
      .is(true)

    await stage.run('-c', 'add', ...by, ...name)
    const { added } = tenantOperations(stage)
    check('TEN-POLICY-NAMES', 'runtime_policy_name')
      .of(added[0]?.['runtime_policy_name'])
      .is('of-the-harness')
    await stage.run('-c', 'reactivate', ...by)
    await stage.run('-c', 'delete', ...by)
    const { order: after } = tenantOperations(stage)
    check('TEN-MANAGES-AGENTS', 'a reactivation')
      .of(after.includes(`PUT /agents/${stage.agentId}/reactivate`))
      .is(true)
    check('TEN-MANAGES-AGENTS', 'a deletion')
      .of(after.includes(`DELETE /agents/${stage.agentId}`))
      .is(true)
  },
})
