import { pushCertificateFamily } from './support/push-family.ts'

export default pushCertificateFamily('certificates.push')
