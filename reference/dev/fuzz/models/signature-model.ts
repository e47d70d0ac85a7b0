import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { toHex } from '../../../bytes/hex.ts'
import { BANKS, Reading } from './reading.ts'

/** What a signature is made of, by a reading of its own. */
export interface ModelSignature {
  readonly scheme: 'rsassa' | 'rsapss' | 'ecdsa'
  readonly hash: string
  readonly parts: readonly Uint8Array[]
}

const SCHEMES: ReadonlyMap<number, ModelSignature['scheme']> = new Map([
  [0x14, 'rsassa'],
  [0x16, 'rsapss'],
  [0x18, 'ecdsa'],
])

export function modelSignature(bytes: Uint8Array): ModelSignature | undefined {
  const reading = new Reading(bytes)
  const scheme = SCHEMES.get(reading.number(2))
  const [hash] = BANKS.get(reading.number(2)) ?? []
  if (!scheme || !hash) return undefined
  const parts = scheme === 'ecdsa' ? [reading.sized(2), reading.sized(2)] : [reading.sized(2)]
  return reading.exact ? { scheme, hash, parts } : undefined
}

/** A public key and the scheme it is bound to. */
export interface ModelKey {
  readonly key: KeyObject
  readonly scheme: number
  readonly hash: number
}

const CURVES: ReadonlyMap<number, readonly [name: string, size: number]> = new Map([
  [3, ['P-256', 32]],
  [4, ['P-384', 48]],
  [5, ['P-521', 66]],
])

/** The key in a TPM2B_PUBLIC without symmetric cipher and key derivation, as every attestation key is. */
export function modelKey(tpm2bPublic: Uint8Array): ModelKey | undefined {
  const outer = new Reading(tpm2bPublic)
  const reading = new Reading(outer.sized(2))
  const type = reading.number(2)
  reading.bytes(2 + 4)
  reading.sized(2)
  if (reading.number(2) !== 0x10) return undefined
  const scheme = reading.number(2)
  const hash = scheme === 0x10 ? 0 : reading.number(2)
  const key = type === 1 ? rsaKey(reading) : eccKey(reading)
  return outer.exact && reading.exact && key ? { key, scheme, hash } : undefined
}

function rsaKey(reading: Reading): KeyObject | undefined {
  reading.bytes(2)
  const e = reading.number(4) || 65537
  const n = reading.sized(2)
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const exponent = Buffer.from(e.toString(16).padStart(8, '0'), 'hex')
  return imported({ kty: 'RSA', n: text(n), e: text(exponent) })
}

function eccKey(reading: Reading): KeyObject | undefined {
  const [crv, size = 0] = CURVES.get(reading.number(2)) ?? []
  if (!crv || reading.number(2) !== 0x10) return undefined
  const [x, y] = [reading.sized(2), reading.sized(2)].map((each) =>
    Buffer.from(toHex(each).padStart(2 * size, '0'), 'hex').toString('base64url'),
  )
  return imported({ kty: 'EC', crv, x: x ?? '', y: y ?? '' })
}

function imported(key: Readonly<Record<string, string>>): KeyObject | undefined {
  try {
    return createPublicKey({ format: 'jwk', key })
  } catch {
    // What OpenSSL does not take is no key to the model either.
    return undefined
  }
}

/** Whether the signature is good, by way of DER where the code under test takes the plain form. */
export function modelVerifies(
  { key }: ModelKey,
  { scheme, hash, parts }: ModelSignature,
  message: Uint8Array,
): boolean {
  const openssl = [...BANKS.values()].find(([name]) => name === hash)?.[2]
  const expected = scheme === 'ecdsa' ? 'ec' : 'rsa'
  if (!openssl || key.asymmetricKeyType !== expected) return false
  if (scheme === 'ecdsa') return verify(openssl, message, { key, dsaEncoding: 'der' }, der(parts))
  const [signature = new Uint8Array()] = parts
  const padding =
    scheme === 'rsassa'
      ? { padding: constants.RSA_PKCS1_PADDING }
      : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  return verify(openssl, message, { key, ...padding }, signature)
}

/** SEQUENCE of two INTEGERs (X.690). */
function der(numbers: readonly Uint8Array[]): Uint8Array {
  const integers = numbers.map((number) => {
    const digits = toHex(number).replace(/^(?:00)+(?=..)/, '') || '00'
    return tlv(0x02, Buffer.from(/^[89a-f]/.test(digits) ? `00${digits}` : digits, 'hex'))
  })
  return tlv(0x30, Buffer.concat(integers))
}

function tlv(tag: number, value: Uint8Array): Uint8Array {
  const length = value.length < 128 ? [value.length] : [0x81, value.length]
  return Uint8Array.from([tag, ...length, ...value])
}
