import { constants, type KeyObject, verify } from 'node:crypto'
import { toHex } from '../bytes/hex.ts'
import { concat } from '../bytes/writer.ts'
import { type Curve, curves, hashById, schemeByName } from './algorithms.ts'
import { leftPad } from './public-key.ts'
import type { Signature } from './signature.ts'

/** Outcome of {@link verifySignature}; `why` is one readable sentence. */
type Verification = { readonly ok: true } | { readonly ok: false; readonly why: string }

/**
 * Verifies a TPMT_SIGNATURE over a message.
 * A signature that does not fit the key is an answer, not an exception.
 *
 * @param message the bytes that were received, as the TPM hashed them
 */
export function verifySignature(
  key: KeyObject,
  signature: Signature,
  message: Uint8Array,
): Verification {
  const scheme = schemeByName(signature.kind)
  if (!scheme?.supported) return refuse(`${signature.kind} signatures are not supported`)
  const expected = key.asymmetricKeyType === 'rsa' ? 'rsa' : 'ecc'
  if (scheme.keyType !== expected)
    return refuse(`a ${signature.kind} signature cannot come from an ${expected} key`)
  const digest = hashById(signature.value.hash)?.digest
  if (!digest) return refuse(`hash 0x${signature.value.hash.toString(16)} is not supported`)
  if (signature.kind === 'rsassa' || signature.kind === 'rsapss')
    return verifyRsa(key, signature.kind, digest, signature.value.sig, message)
  if (signature.kind === 'ecdsa') return verifyEcdsa(key, digest, signature.value, message)
  return refuse(`${signature.kind} signatures are not supported`)
}

function verifyRsa(
  key: KeyObject,
  scheme: 'rsassa' | 'rsapss',
  digest: string,
  sig: Uint8Array,
  message: Uint8Array,
): Verification {
  const size = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8
  if (sig.length !== size)
    return refuse(`the signature has ${sig.length} bytes where the key needs ${size}`)
  // Part 1 B.7: a TPM salts with the length of the digest, or with as much as fits; both are accepted.
  const padding =
    scheme === 'rsassa'
      ? { padding: constants.RSA_PKCS1_PADDING }
      : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  return answer(verify(digest, message, { key, ...padding }, sig))
}

function verifyEcdsa(
  key: KeyObject,
  digest: string,
  value: { readonly signatureR: Uint8Array; readonly signatureS: Uint8Array },
  message: Uint8Array,
): Verification {
  const curve = curveOf(key)
  if (!curve) return refuse('the key is on a curve that is not supported')
  const r = scalar(value.signatureR, curve)
  const s = scalar(value.signatureS, curve)
  if (!r) return refuse('r is not between 1 and the order of the curve')
  if (!s) return refuse('s is not between 1 and the order of the curve')
  return answer(verify(digest, message, { key, dsaEncoding: 'ieee-p1363' }, concat(r, s)))
}

function scalar(bytes: Uint8Array, curve: Curve): Uint8Array | undefined {
  const padded = leftPad(bytes, curve.size)
  if (!padded) return undefined
  const number = BigInt(`0x${toHex(padded)}`)
  return number > 0n && number < curve.order ? padded : undefined
}

function curveOf(key: KeyObject): Curve | undefined {
  const name = key.asymmetricKeyDetails?.namedCurve
  return Object.values(curves).find((curve) => curve.openssl === name)
}

function answer(verified: boolean): Verification {
  return verified ? { ok: true } : refuse('the signature does not verify under the key')
}

function refuse(why: string): Verification {
  return { ok: false, why }
}
