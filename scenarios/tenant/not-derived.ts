import { scenario } from '../../conformance/scenario.ts'
import { tenantOperations } from './support/tenant-operations.ts'

export default scenario({
  id: 'tenant.not-derived',
  title: 'A tenant that verifies K reports a failure if the agent proves another key',
  requirements: ['TEN-VERIFIES-DERIVATION'],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'tenant.added',
  async run({ tenants, check, observe }) {
    const mutateProof = (hmac: string) => hmac.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    const stage = await tenants.stage({ mutateProof }) // the defect
    const file = stage.file('payload', 'for the agent only\n')
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '-f', file, '--verify')
    check('TEN-VERIFIES-DERIVATION', 'exit code').of(code).isNot(0)
    observe('TENANTSTOP', 'its requests, in order', tenantOperations(stage).order)
  },
})
