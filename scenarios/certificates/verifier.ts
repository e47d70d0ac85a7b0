import { adminCertificateFamily } from './support/admin-family.ts'

export default adminCertificateFamily('certificates.verifier', 'verifier')
