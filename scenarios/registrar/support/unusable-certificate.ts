import { base64 } from '../../../conformance/client/bytes.ts'
import { ekCertificate } from '../../../simulator/vectors/registration/ek-certificate.ts'

/** The public key of RFC 8032, 7.1, test 1 as SubjectPublicKeyInfo. */
const ED25519 = Buffer.from(
  '302a300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  'hex',
)

/** An EK certificate, DER in base64, of a key to which nothing can be encrypted. */
export const UNUSABLE_CERTIFICATE = base64(ekCertificate(ED25519))
