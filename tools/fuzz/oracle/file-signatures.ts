import { constants, createPublicKey, type KeyObject, publicDecrypt } from 'node:crypto'
import { at, listOf } from '../../../conformance/attempt/reply.ts'
import { unbase64 } from '../../../conformance/client/bytes.ts'
import { equal, fromHex } from '../../../simulator/tpm/write.ts'
import { objectOf } from './documents.ts'

/** DER before a SHA-256 digest in an RSASSA-PKCS1-v1_5 signature (RFC 8017, 9.2). */
const DIGEST_INFO = '3031300d060960864801650304020105000420'
/** Type, version, hash, key id and length of a signature by `evmctl` (signature_v2_hdr of the kernel). */
const HEAD = 9
const [DIGSIG, VERSION_2, HASH_ALGO_SHA256] = [3, 2, 4]

/** The keys of a policy; undefined when there is one that is not known here. */
function rsaKeys(keyring: unknown): readonly KeyObject[] | undefined {
  const members = typeof keyring === 'string' && keyring !== '' ? objectOf(keyring) : undefined
  const listed = listOf(at(members, 'pubkeys'))
  try {
    const keys = listed?.map((one) =>
      createPublicKey({ key: Buffer.from(unbase64(String(one))), format: 'der', type: 'spki' }),
    )
    return keys?.every(({ asymmetricKeyType }) => asymmetricKeyType === 'rsa') ? keys : undefined
  } catch {
    return undefined
  }
}

function opens(key: KeyObject, signature: Uint8Array, info: Uint8Array): boolean {
  try {
    const padding = constants.RSA_PKCS1_PADDING
    return equal(new Uint8Array(publicDecrypt({ key, padding }, signature)), info)
  } catch {
    return false
  }
}

/**
 * Whether a key of a policy signed a SHA-256 digest: RSA with the second version of signatures. Undefined where keys or signature
 * are of other kinds, of which nothing is said.
 */
export function isSignedFile(
  keyring: unknown,
  digest: string,
  signature: Uint8Array,
): boolean | undefined {
  const keys = rsaKeys(keyring)
  if (keys === undefined) return undefined
  const [type, version, hash] = signature
  if (signature.length === 0) return false
  if (type !== DIGSIG || version !== VERSION_2 || hash !== HASH_ALGO_SHA256) return undefined
  const info = fromHex(`${DIGEST_INFO}${digest}`)
  return keys.some((key) => opens(key, signature.subarray(HEAD), info))
}
