import { adminCertificateFamily } from '../../conformance/dsl.ts'

export default adminCertificateFamily('certificates.registrar', 'registrar')
