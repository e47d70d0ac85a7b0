import { scenario } from '../../conformance/scenario.ts'
import { newServerCertificate } from './support/tenant-keys.ts'
import { addedBody, requireU, tenantOperations } from './support/tenant-operations.ts'

export default scenario({
  id: 'tenant.certificate-chain',
  title: 'A tenant gives the verifier every certificate that an agent registered in its mtls_cert',
  requirements: ['TEN-ADDS-MTLS-CERT'],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'tenant.added',
  async run({ tenants, random, check }) {
    const { certificate } = await newServerCertificate(random.uuid())
    const stage = await tenants.stage({
      mutateRecord: (record) => ({
        ...record,
        mtls_cert: `${String(record['mtls_cert']).trim()}\n${certificate}`,
      }),
    })
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId)
    const operations = tenantOperations(stage)
    requireU(operations, code)
    check('TEN-ADDS-MTLS-CERT', 'mtls_cert')
      .of(String(addedBody(operations, code)['mtls_cert']).trim())
      .is(`${stage.certificate.trim()}\n${certificate.trim()}`)
  },
})
