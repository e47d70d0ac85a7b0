import { scenario } from '../../conformance/scenario.ts'
import { keyLike } from './support/tenant-keys.ts'
import { tenantOperations } from './support/tenant-operations.ts'

export default scenario({
  id: 'tenant.push-agents',
  title:
    'A tenant adds a push agent with its registered key, and none with an EK of unknown origin',
  requirements: ['TEN-ADDS-AK', 'TEN-CHECKS-EK', 'TEN-EXIT-DONE'],
  role: 'tenant',
  since: '3.0',
  async run({ tenants, check, observe }) {
    let aikTpm = ''
    const stage = await tenants.stage({
      mutateRecord({ aik_tpm, ...record }) {
        aikTpm ||= keyLike(aik_tpm)
        return { ...record, aik_tpm: aikTpm, mtls_cert: null, ip: null, port: null }
      },
    })
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '--push-model')
    const { added, countRequests } = tenantOperations(stage)
    check('TEN-EXIT-DONE', 'exit code').of(code).is(0)
    check('TEN-ADDS-AK', 'ak_tpm of a push agent').of(added[0]?.['ak_tpm']).is(aikTpm)
    observe('PUSHENROL', 'requests to a push agent', countRequests('agent'))

    const unknown = await tenants.stage({ ekCertificate: 'another-maker' }) // the defect
    await unknown.run('-c', 'add', '-u', unknown.agentId, '--push-model')
    check('TEN-CHECKS-EK', 'push agents added whose EK certificate is of an untrusted maker')
      .of(tenantOperations(unknown).added.length)
      .is(0)
  },
})
