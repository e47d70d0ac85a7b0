import 'reflect-metadata'
import { createPublicKey, hash, type KeyObject, X509Certificate } from 'node:crypto'
import { X509Certificate as ParsedCertificate, SubjectKeyIdentifierExtension } from '@peculiar/x509'
import { isSigningKey } from './policy/verification-keys.ts'

/** The content of an `ima-buf` entry that measures a key added to a kernel keyring. */
type MeasuredKey =
  | { readonly kind: 'key'; readonly id: number; readonly key: KeyObject }
  | { readonly kind: 'unsupported'; readonly what: string }

const DER_SEQUENCE = 0x30

/** A certificate or a public key (DER SubjectPublicKeyInfo); undefined for critical data, which is anything else. */
export function readMeasuredKey(buffer: Uint8Array): MeasuredKey | undefined {
  if (buffer[0] !== DER_SEQUENCE) return undefined
  const der = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.length)
  const certificate = attempt(() => new X509Certificate(der))
  if (certificate) return ofCertificate(certificate)
  const key = attempt(() => createPublicKey({ key: der, format: 'der', type: 'spki' }))
  return key && ofKey(key, () => keyIdOf(key))
}

function ofCertificate(certificate: X509Certificate): MeasuredKey {
  const key = attempt(() => certificate.publicKey)
  if (!key) return { kind: 'unsupported', what: 'a certificate for a key of an unknown kind' }
  return ofKey(key, () => certifiedKeyId(certificate.raw) ?? keyIdOf(key))
}

function ofKey(key: KeyObject, idOf: () => number): MeasuredKey {
  if (isSigningKey(key)) return { kind: 'key', id: idOf(), key }
  const { asymmetricKeyType = 'unknown', asymmetricKeyDetails } = key
  const curve = asymmetricKeyDetails?.namedCurve
  return {
    kind: 'unsupported',
    what: curve ? `an EC key on ${curve}` : `a key of type ${asymmetricKeyType}`,
  }
}

const KEY_ID_SIZE = 4

function lastBytes(bytes: Uint8Array): number {
  return Buffer.from(bytes).readUInt32BE(bytes.length - KEY_ID_SIZE)
}

/** Key id that a certificate gives: the end of its subject key identifier. */
function certifiedKeyId(der: Uint8Array): number | undefined {
  const extension = attempt(() =>
    new ParsedCertificate(new Uint8Array(der)).getExtension(SubjectKeyIdentifierExtension),
  )
  const identifier = Buffer.from(extension?.keyId ?? '', 'hex')
  return identifier.length < KEY_ID_SIZE ? undefined : lastBytes(identifier)
}

/**
 * Key id of a signing key (`keyid` of the kernel's signature_v2_hdr): the end of the SHA-1 of the key's bits, which are
 * the PKCS#1 structure of an RSA key and the uncompressed point of an EC key.
 */
export function keyIdOf(key: KeyObject): number {
  return lastBytes(hash('sha1', keyBits(key), 'buffer'))
}

function keyBits(key: KeyObject): Buffer {
  return key.asymmetricKeyType === 'rsa'
    ? key.export({ format: 'der', type: 'pkcs1' })
    : Buffer.from(pointOf(key))
}

/** Point of an EC key, uncompressed (SEC 1 section 2.3.3). */
export function pointOf(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    // The parser's error does not matter: a buffer that is not a key is treated as data.
    return undefined
  }
}
