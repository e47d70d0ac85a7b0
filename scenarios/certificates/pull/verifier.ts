import { pullCertificateFamily } from '../support/pull-family.ts'

export default pullCertificateFamily('certificates.pull.verifier', 'verifier')
