import { createPublicKey, type KeyObject } from 'node:crypto'
import { DER, type DerElement, DerReader, derBytes } from '../../bytes/der.ts'
import { fromHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'
import { readIdentifier, wholeBytesOf } from './der-values.ts'

/** SubjectPublicKeyInfo (RFC 5280, 4.1.2.7). */
export interface SubjectKey {
  /** OID of its kind. */
  readonly algorithm: string
  /** The structure in DER, under the label that it has. */
  readonly spki: Uint8Array
  /** It is labelled RSAES-OAEP, and is loaded as any other RSA key. */
  readonly isRelabelled: boolean
  /** The same structure under the label that readers know. */
  readonly usual: Uint8Array
}

const RSAES_OAEP = '1.2.840.113549.1.1.7'
/** AlgorithmIdentifier of rsaEncryption, with the NULL that belongs to it. */
const RSA_ENCRYPTION = fromHex('300d06092a864886f70d0101010500')

/** Reads a SubjectPublicKeyInfo up to its algorithm; `element` is its SEQUENCE. */
export function parseSubjectKey(whole: Uint8Array, element: DerElement, path: string): SubjectKey {
  const reader = new DerReader(whole, element, path)
  const algorithm = readIdentifier(reader.enter('algorithm', DER.SEQUENCE), 'algorithm')
  const bits = reader.next('subjectPublicKey', DER.BIT_STRING)
  wholeBytesOf(whole, bits, `${path}.subjectPublicKey`)
  reader.finish()
  const spki = derBytes(whole, element)
  const isRelabelled = algorithm === RSAES_OAEP
  return {
    algorithm,
    spki,
    isRelabelled,
    usual: isRelabelled ? relabelled(derBytes(whole, bits)) : spki,
  }
}

function relabelled(key: Uint8Array): Uint8Array {
  const length = RSA_ENCRYPTION.length + key.length
  const lengthBytes = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return concat(Uint8Array.of(DER.SEQUENCE, ...lengthBytes), RSA_ENCRYPTION, key)
}

/** Loaded keys by their encoding: OpenSSL takes longer to load one than to verify with it. */
const LOADED = new WeakMap<SubjectKey, KeyObject>()

/**
 * The subject key of a certificate, under any algorithm label.
 *
 * @throws what OpenSSL throws of a key that it does not load
 */
export function subjectPublicKey(subject: SubjectKey): KeyObject {
  const known = LOADED.get(subject)
  if (known !== undefined) return known
  const key = createPublicKey({ key: Buffer.from(subject.usual), format: 'der', type: 'spki' })
  rememberKey(subject, key)
  return key
}

/** Spares loading a key that OpenSSL has loaded with its certificate. */
export function rememberKey(subject: SubjectKey, key: KeyObject): void {
  LOADED.set(subject, key)
}
