import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
  type KeyPairSyncResult,
} from 'node:crypto'

const publicKeyEncoding = { type: 'spki', format: 'der' } as const
const privateKeyEncoding = { type: 'pkcs8', format: 'der' } as const

/**
 * Reads a generated pair from its encoding. Node hangs if it exports a generated key as JWK while garbage collection
 * ends the job that generated it, because both lock that key; a key that was read belongs to no job.
 */
function read({
  publicKey,
  privateKey,
}: KeyPairSyncResult<Buffer, Buffer>): KeyPairKeyObjectResult {
  return {
    publicKey: createPublicKey({ key: publicKey, format: 'der', type: 'spki' }),
    privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
  }
}

/** A new key on a curve, whose members can be exported. */
export function newEcPair(namedCurve: string): KeyPairKeyObjectResult {
  return read(generateKeyPairSync('ec', { namedCurve, publicKeyEncoding, privateKeyEncoding }))
}

/** A new RSA key, whose members can be exported. */
export function newRsaPair(modulusLength: number, publicExponent = 65537): KeyPairKeyObjectResult {
  const size = { modulusLength, publicExponent }
  return read(generateKeyPairSync('rsa', { ...size, publicKeyEncoding, privateKeyEncoding }))
}
