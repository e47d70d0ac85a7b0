import { constants, createHash, createPublicKey, privateEncrypt } from 'node:crypto'
import { keyringOf } from '../../../../simulator/ima/file-signer.ts'
import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { imaBufEntry, imaEntry, imaSigEntry } from '../../../../simulator/ima/make-entry.ts'
import { rsaKeyOf } from '../../../../simulator/soft/keys.ts'
import { type Bank, digest } from '../../../../simulator/tpm/hash.ts'
import { cat, filled, fromHex, text, toHex, u8, u16, u32 } from '../../../../simulator/tpm/write.ts'
import { FILES, measured } from './list-evidence.ts'
import { lastBit, type NearMiss, sameStart } from './near-miss.ts'

const ROW = 'VER-EVIDENCE-IMA-SIGNATURE'
const PATH = '/opt/one'

/** Numbers of hashes in a signature (enum hash_algo of the kernel), and the DER before a digest (RFC 8017, 9.2). */
const [SHA256, SHA384, SHA512] = [
  { number: 4, info: fromHex('3031300d060960864801650304020105000420') },
  { number: 5, info: fromHex('3041300d060960864801650304020205000430') },
  { number: 6, info: fromHex('3051300d060960864801650304020305000440') },
]

/** An RSA key that encrypts any bytes in place of a DigestInfo. */
function makeRsaSigner() {
  const privateKey = rsaKeyOf('signer of files')
  const publicKey = createPublicKey(privateKey)
  const pkcs1 = publicKey.export({ format: 'der', type: 'pkcs1' })
  const keyId = createHash('sha1').update(pkcs1).digest().readUInt32BE(16)
  const publicDer = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  const encrypt = (info: Uint8Array) =>
    new Uint8Array(privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, info))
  const attribute = (sig: Uint8Array, number = SHA256.number) =>
    cat(u8(3), u8(2), u8(number), u32(keyId), u16(sig.length), sig)
  return {
    publicDer,
    keyId,
    encrypt,
    attribute,
    sign: (info: Uint8Array) => attribute(encrypt(info)),
  }
}

type RsaSigner = ReturnType<typeof makeRsaSigner>

let made: RsaSigner | undefined
const rsaSigner = () => (made ??= makeRsaSigner())

/** A file that the policy does not list, under a policy with the key of the signer. */
function signed(sends: string, entry: (signer: RsaSigner) => ImaEntry, breaks?: string): NearMiss {
  return {
    sends,
    forms: ['signing-keys'],
    ...(breaks && { breaks }),
    evidence: () => {
      const signer = rsaSigner()
      return measured([...FILES, entry(signer)], {
        listed: FILES,
        policy: { 'verification-keys': keyringOf([signer]) },
      })
    },
  }
}

/** A file whose RSA signature covers these bytes. */
function encrypted(
  sends: string,
  info: (digest: Uint8Array) => Uint8Array,
  breaks?: string,
): NearMiss {
  const value = digest('sha256', text(PATH))
  return signed(sends, ({ sign }) => imaSigEntry(PATH, value, sign(info(value))), breaks)
}

/** A file with a digest of one hash and a signature that names a hash. */
function hashed(
  sends: string,
  bank: Bank,
  { number, info }: typeof SHA256,
  breaks?: string,
): NearMiss {
  const value = digest(bank, text(PATH))
  return signed(
    sends,
    ({ attribute, encrypt }) =>
      imaSigEntry(PATH, value, attribute(encrypt(cat(info, value)), number)),
    breaks,
  )
}

/** A digest for which the signature begins with a zero; RFC 8017, 8.2.2, demands all bytes of a signature. */
const ZERO_FIRST = digest('sha256', text('content 29'))

const SHORT = signed(
  'an RSA signature without the zero that it begins with',
  ({ attribute, encrypt }) => {
    const sig = encrypt(cat(SHA256.info, ZERO_FIRST))
    if (sig[0] !== 0) throw new RangeError('the signature does not begin with a zero')
    return imaSigEntry(PATH, ZERO_FIRST, attribute(sig.subarray(1)))
  },
  ROW,
)

/** The digest is signed as one of SHA-256. */
const ANOTHER_NAME = signed(
  'an RSA signature over a digest that the list calls one of SM3',
  ({ sign }) => {
    const value = digest('sha256', text(PATH))
    const signature = sign(cat(SHA256.info, value))
    return imaEntry('ima-sig', { path: PATH, digest: value, algorithm: 'sm3-256', signature })
  },
  ROW,
)

/** Hashes by their numbers (enum hash_algo of the kernel). */
const NUMBERS = [
  ['sha1', 2],
  ['sha224', 7],
  ['sha384', 5],
  ['sha512', 6],
] as const

function hashOf(algorithm: string, content: Uint8Array): Uint8Array {
  return new Uint8Array(createHash(algorithm).update(content).digest())
}

/** A signature without the DER before the digest, and so by no scheme. */
const ALONE = NUMBERS.map(([algorithm, number]) =>
  signed(
    `an RSA signature over the ${algorithm} of a file alone`,
    ({ attribute, encrypt }) => {
      const value = hashOf(algorithm, text(PATH))
      const signature = attribute(encrypt(value), number)
      return imaEntry('ima-sig', { path: PATH, digest: value, algorithm, signature })
    },
    ROW,
  ),
)

/** A signature of version 3 covers its type, the number of its hash and the digest: not the digest alone. */
const VERSION_3 = NUMBERS.map(([algorithm, number]) =>
  signed(
    `a signature of version 3 over the ${algorithm} of a file alone`,
    ({ attribute, encrypt }) => {
      const value = hashOf(algorithm, text(PATH))
      const signature = attribute(encrypt(value), number).with(1, 3)
      return imaEntry('ima-sig', { path: PATH, digest: value, algorithm, signature })
    },
    ROW,
  ),
)

/** A file that is signed by an RSA key, which was added to a keyring before and is listed for it. */
const BEHIND_ITS_KEY: NearMiss = {
  sends: 'a signed file behind the listed RSA key that signs it',
  forms: ['signing-keys'],
  evidence: () => {
    const { publicDer, sign } = rsaSigner()
    const value = digest('sha256', text(PATH))
    const file = imaSigEntry(PATH, value, sign(cat(SHA256.info, value)))
    const keyrings = { '.ima': [toHex(digest('sha256', publicDer))] }
    const entries = [...FILES, imaBufEntry('.ima', publicDer), file]
    return measured(entries, { listed: FILES, policy: { keyrings } })
  },
}

/** A file whose RSA signature was changed to one that opens to no padding. */
function unpadded(sends: string, change: (sig: Uint8Array) => Uint8Array): NearMiss {
  const value = digest('sha256', text(PATH))
  const entry = ({ attribute, encrypt }: RsaSigner) =>
    imaSigEntry(PATH, value, attribute(change(encrypt(cat(SHA256.info, value)))))
  return signed(sends, entry, ROW)
}

export const RSA_SIGNED_FILES: readonly NearMiss[] = [
  encrypted('a file with an RSA signature', (value) => cat(SHA256.info, value)),
  hashed('a file with its sha384 and an RSA signature', 'sha384', SHA384),
  hashed('a file with its sha512 and an RSA signature', 'sha512', SHA512),
  signed('a file with an RSA signature that begins with a zero', ({ sign }) =>
    imaSigEntry(PATH, ZERO_FIRST, sign(cat(SHA256.info, ZERO_FIRST))),
  ),
  SHORT,
  unpadded('an RSA signature of zeros', ({ length }) => filled(length)),
  unpadded('an RSA signature with a changed bit', lastBit),
  encrypted('an RSA signature over the digest alone', (value) => value, ROW),
  encrypted('an RSA signature that names another hash', (value) => cat(SHA512.info, value), ROW),
  hashed(
    'an RSA signature whose header names another hash',
    'sha256',
    { ...SHA256, number: SHA384.number },
    ROW,
  ),
  ANOTHER_NAME,
  ...ALONE,
  ...VERSION_3,
  BEHIND_ITS_KEY,
  encrypted(
    'an RSA signature with bytes behind the digest',
    (value) => cat(SHA256.info, value, filled(8)),
    ROW,
  ),
  encrypted(
    'an RSA signature over a digest that begins alike',
    (value) => cat(SHA256.info, sameStart(value)),
    ROW,
  ),
]
