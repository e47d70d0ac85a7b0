import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { cat, text, u8, u16, u32 } from '../tpm/write.ts'
import type { ImaEntry } from './list.ts'
import { imaSigEntry } from './make-entry.ts'

/** A key on P-256 that signs with SHA-256. */
interface SigningKey {
  /** SubjectPublicKeyInfo in DER. */
  readonly publicDer: Uint8Array
  /** Returns a signature in DER. */
  sign(content: Uint8Array): Uint8Array
}

/** Signs files as `evmctl ima_sign` does, with an EC key and SHA-256. */
export interface FileSigner {
  /** Last bytes of the SHA-1 of the point, the kernel's key id in a signature. */
  readonly keyId: number
  /** SubjectPublicKeyInfo in DER. */
  readonly publicDer: Uint8Array
  /** Returns `security.ima` of a file with this content. */
  sign(content: Uint8Array): Uint8Array
}

/** Bytes of an uncompressed P-256 point, which ends its SubjectPublicKeyInfo. */
const POINT_SIZE = 65

const [DIGSIG, VERSION_2, HASH_ALGO_SHA256] = [3, 2, 4]

function keyIdOf(publicDer: Uint8Array): number {
  const point = publicDer.subarray(-POINT_SIZE)
  return createHash('sha1').update(point).digest().readUInt32BE(16)
}

function signatureOf(sig: Uint8Array, keyId: number): Uint8Array {
  const head = [u8(DIGSIG), u8(VERSION_2), u8(HASH_ALGO_SHA256), u32(keyId), u16(sig.length)]
  return cat(...head, sig)
}

function newKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicDer = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  return { publicDer, sign: (content) => sign('sha256', content, privateKey) }
}

/** Creates a signer; default with a new key, and with the key id of the key. */
export function makeFileSigner(key = newKey(), keyId: number = keyIdOf(key.publicDer)): FileSigner {
  const { publicDer } = key
  return { keyId, publicDer, sign: (content) => signatureOf(key.sign(content), keyId) }
}

/** Returns the signed entry of a file whose content is its own path. */
export function signedFileEntry(path: string, signer: FileSigner): ImaEntry {
  const content = text(path)
  const digest = createHash('sha256').update(content).digest()
  return imaSigEntry(path, new Uint8Array(digest), signer.sign(content))
}

/** Returns the keyring of some signers in the form of policies and enrolments: JSON in a string. */
export function keyringOf(signers: readonly FileSigner[]): string {
  return JSON.stringify({
    meta: { version: 1 },
    keyids: signers.map(({ keyId }) => keyId),
    pubkeys: signers.map(({ publicDer }) => Buffer.from(publicDer).toString('base64')),
  })
}
