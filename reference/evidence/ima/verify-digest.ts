import { constants, type KeyObject, publicDecrypt } from 'node:crypto'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { rowOf, table } from '../../bytes/table.ts'
import type { SignatureClaim } from './file-signature.ts'
import { pointOf } from './measured-key.ts'

const curves = table<string, typeof p256>({
  prime256v1: p256,
  secp384r1: p384,
  secp521r1: p521,
})

/**
 * Whether a key signed a digest: RSASSA-PKCS1-v1_5, or ECDSA in DER.
 * `crypto.verify` hashes its input, and only the digest of a file is available here.
 */
export function signedDigest(key: KeyObject, claim: SignatureClaim): boolean {
  try {
    return key.asymmetricKeyType === 'rsa' ? signedByRsa(key, claim) : signedByEc(key, claim)
  } catch {
    // Both say that bytes are no signature at all by throwing.
    return false
  }
}

/** The signature is opened and all of it compared: the fields around the digest are not parsed. */
function signedByRsa(key: KeyObject, { hash, digest, sig }: SignatureClaim): boolean {
  if (sig.length * 8 !== key.asymmetricKeyDetails?.modulusLength) return false
  const signed = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, sig)
  return signed.equals(Buffer.concat([Buffer.from(hash.digestInfo, 'hex'), digest]))
}

function signedByEc(key: KeyObject, { digest, sig }: SignatureClaim): boolean {
  const curve = rowOf(curves, key.asymmetricKeyDetails?.namedCurve ?? '')
  if (!curve) return false
  return curve.verify(sig, digest, pointOf(key), { prehash: false, format: 'der', lowS: false })
}
