import { constants, createCipheriv, createECDH, createHmac, publicEncrypt } from 'node:crypto'
import { concat } from '../bytes/writer.ts'
import { curveById, type HashAlgorithm, hashById } from './algorithms.ts'
import { decode, encode } from './codec.ts'
import { CREDENTIAL_FILE } from './credential.ts'
import { kdfa, kdfe } from './kdf.ts'
import { type PublicArea, TPM2B_PUBLIC, TPMA_OBJECT, TPMS_ECC_POINT } from './public.ts'
import { leftPad, publicKeyOf } from './public-key.ts'
import { TPM2B_DIGEST } from './structures-common.ts'
import { UnsupportedKey } from './unsupported-key.ts'

/** The secret, the endorsement key it is sealed to, and the object it is bound to. */
interface CredentialRequest {
  /** TPM2B_PUBLIC of the endorsement key */
  readonly ekPublic: Uint8Array
  /** Name of the object that must be loaded with the endorsement key */
  readonly name: Uint8Array
  /** at most as long as a digest of the endorsement key's nameAlg */
  readonly secret: Uint8Array
  /**
   * Gives that many unpredictable bytes, for the seed or the ephemeral key.
   * The padding of RSA-OAEP draws from OpenSSL's own generator.
   */
  random(length: number): Uint8Array
}

/** A storage key with the parameters for sealing to it. */
interface StorageKey {
  readonly area: PublicArea
  readonly hash: HashAlgorithm & { readonly digest: string }
  /** key size of its AES-CFB */
  readonly aesBits: number
}

interface Seed {
  readonly seed: Uint8Array
  readonly encryptedSecret: Uint8Array
}

const NO_CONTEXT = new Uint8Array()
const IDENTITY = 'IDENTITY'
const AES_SIZES: readonly number[] = [128, 192, 256]
const TPM_ALG_CFB = 0x0043

/**
 * Seals a secret that only the TPM with this endorsement key can open, and only for the object of this Name
 * (TPM2_MakeCredential, Part 1 section 24), in the file form of the usual tools:
 * BADCC0DE, version 1, TPM2B_ID_OBJECT, TPM2B_ENCRYPTED_SECRET.
 *
 * @throws {WireError} when `ekPublic` is not a TPM2B_PUBLIC
 * @throws {UnsupportedKey} when the key is not a storage key this side can seal that secret to
 * @throws {RangeError} when the secret is empty
 */
export function makeCredential(request: CredentialRequest): Uint8Array {
  const key = storageKey(decode(TPM2B_PUBLIC, request.ekPublic).contents)
  if (request.secret.length === 0) throw new RangeError('the secret must have at least one byte')
  if (request.secret.length > key.hash.size)
    throw new UnsupportedKey(
      `the nameAlg of the endorsement key gives ${key.hash.size} bytes, too few for the challenge`,
    )
  const { seed, encryptedSecret } = makeSeed(key, request.random)
  const encIdentity = encryptIdentity(key, seed, request)
  const integrityHMAC = protect(key, seed, encIdentity, request.name)
  return encode(CREDENTIAL_FILE, {
    magic: 0xbadcc0de,
    version: 1,
    credentialBlob: { bytes: NO_CONTEXT, contents: { integrityHMAC, encIdentity } },
    secret: encryptedSecret,
  })
}

function storageKey(area: PublicArea): StorageKey {
  const hash = hashById(area.nameAlg)
  if (!hash?.digest) throw new UnsupportedKey('the nameAlg of the endorsement key is not supported')
  const attributes = TPMA_OBJECT.restricted | TPMA_OBJECT.decrypt
  if ((area.objectAttributes & attributes) !== attributes)
    throw new UnsupportedKey('the endorsement key is not a restricted decryption key')
  const { symmetric } = area.parameters.value
  if (symmetric.kind !== 'aes' || symmetric.value.mode !== TPM_ALG_CFB)
    throw new UnsupportedKey('the endorsement key does not protect its children with AES-CFB')
  if (!AES_SIZES.includes(symmetric.value.keyBits))
    throw new UnsupportedKey(`AES has no ${symmetric.value.keyBits}-bit keys`)
  return { area, hash: { ...hash, digest: hash.digest }, aesBits: symmetric.value.keyBits }
}

function makeSeed(key: StorageKey, random: CredentialRequest['random']): Seed {
  return key.area.parameters.kind === 'rsa' ? rsaSeed(key, random) : eccSeed(key, random)
}

/** Part 1, B.10.4: a random seed, encrypted with OAEP */
function rsaSeed(key: StorageKey, random: CredentialRequest['random']): Seed {
  const { parameters } = key.area
  // RFC 8017, 7.1.1: OAEP takes two digests and two bytes of the modulus
  if (parameters.kind === 'rsa' && parameters.value.keyBits < 8 * (3 * key.hash.size + 2))
    throw new UnsupportedKey('the endorsement key is too short for OAEP with its nameAlg')
  const seed = random(key.hash.size)
  const encryptedSecret = publicEncrypt(
    {
      key: publicKeyOf(key.area),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: key.hash.digest,
      oaepLabel: new TextEncoder().encode(`${IDENTITY}\0`),
    },
    seed,
  )
  return { seed, encryptedSecret }
}

/** Part 1, C.6.4: the seed is derived from a shared point of an ephemeral key */
function eccSeed(key: StorageKey, random: CredentialRequest['random']): Seed {
  const { parameters, unique } = key.area
  const curve = parameters.kind === 'ecc' ? curveById(parameters.value.curveID) : undefined
  if (!curve || unique.kind !== 'ecc') throw new UnsupportedKey('the curve is not supported')
  publicKeyOf(key.area)
  const x = pad(unique.value.x, curve.size)
  const y = pad(unique.value.y, curve.size)
  const ephemeral = createECDH(curve.openssl)
  ephemeral.setPrivateKey(scalar(random, curve.order, curve.size))
  const point = ephemeral.getPublicKey().subarray(1)
  const ownX = point.subarray(0, curve.size)
  const shared = ephemeral.computeSecret(concat(Uint8Array.of(4), x, y))
  const seed = kdfe({
    hash: key.hash,
    key: pad(shared, curve.size),
    label: IDENTITY,
    contextU: ownX,
    contextV: x,
    bits: key.hash.size * 8,
  })
  const encryptedSecret = encode(TPMS_ECC_POINT, { x: ownX, y: point.subarray(curve.size) })
  return { seed, encryptedSecret }
}

/** A private scalar: 64 bits more than the order, reduced, so that the bias does not matter (SP 800-56A, 5.6.1.2.1). */
function scalar(random: CredentialRequest['random'], order: bigint, size: number): Uint8Array {
  const drawn = BigInt(`0x${Buffer.from(random(size + 8)).toString('hex')}`)
  const hex = ((drawn % (order - 1n)) + 1n).toString(16).padStart(size * 2, '0')
  return Buffer.from(hex, 'hex')
}

function pad(number: Uint8Array, size: number): Uint8Array {
  const padded = leftPad(number, size)
  if (!padded) throw new UnsupportedKey(`a coordinate is longer than ${size} bytes`)
  return padded
}

/** Part 1, 24.4: the secret as TPM2B_DIGEST, encrypted under a key that depends on the Name */
function encryptIdentity(
  key: StorageKey,
  seed: Uint8Array,
  request: CredentialRequest,
): Uint8Array {
  const aesKey = kdfa({
    hash: key.hash,
    key: seed,
    label: 'STORAGE',
    contextU: request.name,
    contextV: NO_CONTEXT,
    bits: key.aesBits,
  })
  const cipher = createCipheriv(`aes-${key.aesBits}-cfb`, aesKey, new Uint8Array(16))
  return concat(cipher.update(encode(TPM2B_DIGEST, request.secret)), cipher.final())
}

/** Part 1, 24.5: HMAC over ciphertext and Name */
function protect(key: StorageKey, seed: Uint8Array, encIdentity: Uint8Array, name: Uint8Array) {
  const hmacKey = kdfa({
    hash: key.hash,
    key: seed,
    label: 'INTEGRITY',
    contextU: NO_CONTEXT,
    contextV: NO_CONTEXT,
    bits: key.hash.size * 8,
  })
  return createHmac(key.hash.digest, hmacKey).update(encIdentity).update(name).digest()
}
