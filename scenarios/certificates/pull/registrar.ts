import { pullCertificateFamily } from '../../../conformance/dsl.ts'

export default pullCertificateFamily('certificates.pull.registrar', 'registrar')
