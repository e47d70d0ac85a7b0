import { ANONYMOUS, REFUSED, scenario } from '../../conformance/scenario.ts'
import { headersOfProxies } from './support/engine.ts'
import { nearKinds } from './support/near-kinds.ts'

export default scenario({
  id: 'certificates.near',
  title:
    'The registrar denies administrator access with certificates that resemble that of an administrator',
  requirements: ['CRT-ADMIN-SIGNED', 'CRT-ADMIN-CLIENT-AUTH', 'AUT-ADMIN-NEEDS-CERTIFICATE'],
  role: 'registrar',
  since: '2.5',
  perMajor: true,
  variantOf: 'certificates.tenant-at-registrar',
  async run({ registrar, verifier, certificates, check }) {
    const headers = headersOfProxies(verifier.admin)
    check(
      'AUT-ADMIN-NEEDS-CERTIFICATE',
      "list with the administrator's certificate in headers alone",
    )
      .of(await registrar.call('list', { headers, as: ANONYMOUS }))
      .matches(...REFUSED)
    for (const { kind, requirement, says } of nearKinds) {
      const refusal = await registrar.list(await certificates(kind)) // the defect
      check(requirement, `list with a certificate ${says}`)
        .of(refusal)
        .matches(...REFUSED)
    }
  },
})
