import { scenario } from '../../conformance/scenario.ts'
import {
  commonNameOf,
  deployedCertificates,
  endOfPath,
  isClientWithKey,
  isIssuedBy,
} from './support/generated-files.ts'

const DAY_MS = 86_400_000

export default scenario({
  id: 'certificates.generated',
  title:
    'A verifier with tls_dir = generate makes a CA, a server certificate and that of an administrator',
  requirements: [
    ...['CRT-SERVER-CA-CREATED', 'CRT-GENERATE-CA', 'CRT-GENERATE-SERVER', 'CRT-GENERATE-ADMIN'],
    ...['CRT-GENERATE-SERIALS', 'CRT-ADMIN-COMMON-NAME', 'CRT-ADMIN-PATH', 'CRT-ADMIN-KEY-PATH'],
  ],
  role: 'verifier',
  since: '2.1',
  perMajor: true,
  needs: ['generated_tls'],
  async run(context) {
    const { check, tlsFiles, verifier } = context
    const { ca, admin, server } = await deployedCertificates(context)
    check('CRT-GENERATE-CA', 'the authority is a CA, and signed itself')
      .of({ isCa: ca.ca, isSelfSigned: isIssuedBy(ca, ca) })
      .is({ isCa: true, isSelfSigned: true })
    check('CRT-SERVER-CA-CREATED', 'its certificate begins at most two days before the run')
      .of(context.now() - Date.parse(ca.validFrom) < 2 * DAY_MS)
      .is(true)
    check('CRT-GENERATE-SERVER', 'the certificate of the verifier is another one, of the authority')
      .of({ isOther: !server.raw.equals(ca.raw), isIssued: isIssuedBy(server, ca) })
      .is({ isOther: true, isIssued: true })
    check('CRT-GENERATE-ADMIN', "the administrator's certificate is of the authority")
      .of({
        isIssued: isIssuedBy(admin, ca),
        isClientWithKey: isClientWithKey(admin, tlsFiles.admin.key),
      })
      .is({ isIssued: true, isClientWithKey: true })
    check(
      'CRT-GENERATE-SERIALS',
      'serial numbers of the certificates of verifier and administrator',
    )
      .of([server, admin].map(({ serialNumber }) => serialNumber))
      .matches('two', ([one, other]) => one !== other)
    const listed = await verifier.call('list-policies', { as: verifier.admin })
    check('CRT-GENERATE-ADMIN', 'HTTP status for the administrator').of(listed.status).is(200)
    check('CRT-ADMIN-COMMON-NAME', 'CN').of(commonNameOf(admin)).is('client')
    check('CRT-ADMIN-PATH', 'the end of the path')
      .of(endOfPath(tlsFiles.admin.certificate))
      .is('cv_ca/client-cert.crt')
    check('CRT-ADMIN-KEY-PATH', 'the end of the path')
      .of(endOfPath(tlsFiles.admin.key))
      .is('cv_ca/client-private.pem')
  },
})
