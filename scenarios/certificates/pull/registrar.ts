import { pullCertificateFamily } from '../support/pull-family.ts'

export default pullCertificateFamily('certificates.pull.registrar', 'registrar')
