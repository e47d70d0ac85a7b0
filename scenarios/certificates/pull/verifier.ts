import { pullCertificateFamily } from '../../../conformance/dsl.ts'

export default pullCertificateFamily('certificates.pull.verifier', 'verifier')
