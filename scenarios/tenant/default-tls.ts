import { scenario } from '../../conformance/scenario.ts'
import { certificatesShown } from './support/tenant-operations.ts'

export default scenario({
  id: 'tenant.default-tls',
  title:
    'A tenant with the settings of TLS at their defaults uses the generated certificate, its key and the CA',
  requirements: ['TEN-TLS-DIR-DEFAULT', 'TEN-CLIENT-CERT-DEFAULT', 'TEN-CLIENT-KEY-DEFAULT'],
  role: 'tenant',
  variantOf: 'tenant.added',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ tenants, check }) {
    const stage = await tenants.stage({ defaultTls: true })
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '-f', stage.file('p', 'x'))
    check('TEN-TLS-DIR-DEFAULT', 'exit code').of(code).is(0)
    for (const peer of ['verifier', 'registrar'] as const)
      for (const id of ['TEN-CLIENT-CERT-DEFAULT', 'TEN-CLIENT-KEY-DEFAULT'] as const)
        check(id, `certificates presented to the ${peer}`)
          .of(certificatesShown(stage, peer))
          .is(['trusted'])
  },
})
