import { pushCertificateFamily } from '../../conformance/dsl.ts'

export default pushCertificateFamily('certificates.push')
