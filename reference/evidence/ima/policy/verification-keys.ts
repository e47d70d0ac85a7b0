import { createPublicKey, type KeyObject } from 'node:crypto'
import { fromBase64 } from '../../../bytes/base64.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import { PolicyError } from '../../policy-error.ts'
import { integerAt, listAt, objectAt, parseJson, textAt, versionAt } from './policy-shape.ts'

/** Public keys of file signatures by key id; two keys may share one, as it has 32 bits only. */
export type VerificationKeys = ReadonlyMap<number, readonly KeyObject[]>

export const NO_KEYS: VerificationKeys = new Map()

/** Largest key id: the last four bytes of a hash. */
const LAST_KEY_ID = 0xffff_ffff
const LAST_VERSION = 1

/** Each key with the signature's id is tried, so their number is limited; ids collide by chance only. */
const MAX_KEYS_OF_ONE_ID = 8

/**
 * Reads a keyring of file signatures: an empty text, or JSON with `keyids` and, in the same order, `pubkeys` (base64 of
 * a DER SubjectPublicKeyInfo, RSA or EC). A key id may be that of a certificate, so it is not held against its key.
 *
 * @param path the member's name: `verification-keys` in a policy, `ima_sign_verification_keys` in an agent request
 * @throws {PolicyError} with the JSON path of the invalid value
 */
export function parseVerificationKeys(text: string, path: string): VerificationKeys {
  if (text === '') return NO_KEYS
  const root = objectAt(parseJson(text, path), path)
  if (root.meta !== undefined)
    versionAt(objectAt(root.meta, `${path}.meta`).version, `${path}.meta.version`, LAST_VERSION)
  const ids = listAt(root.keyids, `${path}.keyids`, 'key ids').map((id, index) =>
    integerAt(id, `${path}.keyids[${index}]`, LAST_KEY_ID),
  )
  const keys = listAt(root.pubkeys, `${path}.pubkeys`, 'keys').map((key, index) =>
    keyAt(key, `${path}.pubkeys[${index}]`),
  )
  if (ids.length !== keys.length)
    throw new PolicyError(`${path}.keyids`, `has ${ids.length} ids for ${keys.length} pubkeys`)
  return byId(ids, keys, path)
}

function byId(ids: readonly number[], keys: readonly KeyObject[], path: string): VerificationKeys {
  const ring = new Map<number, readonly KeyObject[]>()
  keys.forEach((key, index) => {
    const id = ids[index] ?? 0
    const known = ring.get(id) ?? []
    if (known.some((each) => each.equals(key))) return
    if (known.length === MAX_KEYS_OF_ONE_ID)
      throw new PolicyError(
        `${path}.keyids[${index}]`,
        `more than ${MAX_KEYS_OF_ONE_ID} keys have the id ${id}`,
      )
    ring.set(id, [...known, key])
  })
  return ring
}

/** The same keys and one more. */
export function withKey(keys: VerificationKeys, id: number, key: KeyObject): VerificationKeys {
  const known = keys.get(id) ?? []
  return known.some((each) => each.equals(key)) ? keys : new Map([...keys, [id, [...known, key]]])
}

function keyAt(value: unknown, path: string): KeyObject {
  const der = derAt(textAt(value, path), path)
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    if (isSigningKey(key)) return key
  } catch (cause) {
    throw new PolicyError(path, 'is not a public key (DER SubjectPublicKeyInfo)', { cause })
  }
  throw new PolicyError(path, `expected an RSA key, or an EC key on ${CURVES.join(', ')}`)
}

function derAt(text: string, path: string): Buffer {
  try {
    return Buffer.from(fromBase64(text, path))
  } catch (error) {
    if (error instanceof WireError) throw new PolicyError(path, error.problem, { cause: error })
    throw error
  }
}

const CURVES: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1']

/** Whether this implementation verifies file signatures of such a key. */
export function isSigningKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return CURVES.includes(asymmetricKeyDetails?.namedCurve)
  return asymmetricKeyType === 'rsa'
}
