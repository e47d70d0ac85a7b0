import { createPublicKey, generateKeyPairSync, KeyObject, X509Certificate } from 'node:crypto'
import { isProxy } from 'node:util/types'

/** A value in a recording: JSON, in which an object with the member `$` stands for what JSON has no form for. */
export type Recorded =
  | null
  | boolean
  | number
  | string
  | readonly Recorded[]
  | { readonly [name: string]: Recorded }

/** An object with methods, by its number in the recording. */
export interface RecordedHandle {
  readonly id: number
  /** Its own members. */
  readonly keys: readonly string[]
  /** It is a function itself. */
  readonly callable?: true
}

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/

/** Whether a value is a plain object: `{…}`, and no instance of a class. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || isProxy(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The recorded form of a value that is no list, plain object or handle; undefined if it is one of these. */
export function encodeLeaf(value: unknown): Recorded | undefined {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string')
    return PRIVATE_KEY.test(value) ? special('private-pem', null) : value
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : special('number', `${value}`)
  if (value === undefined) return special('undefined', null)
  if (typeof value === 'bigint') return special('bigint', `${value}`)
  return typeof value === 'object' ? encodeInstance(value) : undefined
}

function encodeInstance(value: object): Recorded | undefined {
  if (Buffer.isBuffer(value)) return special('buffer', value.toString('base64'))
  if (value instanceof Uint8Array) return special('bytes', Buffer.from(value).toString('base64'))
  if (value instanceof Date) return special('date', value.getTime())
  if (value instanceof X509Certificate) return special('certificate', value.raw.toString('base64'))
  if (value instanceof KeyObject && value.type === 'public')
    return special('public-key', value.export({ format: 'der', type: 'spki' }).toString('base64'))
  if (value.constructor?.name === 'SecureContext') return special('opaque', null)
  if (value instanceof KeyObject && value.type === 'private') return special('private-key', null)
  return undefined
}

function special(kind: string, value: Recorded): Recorded {
  return { $: kind, value }
}

let key: KeyObject | undefined

/** A key in place of a private one, which is not recorded. What it signs goes to calls alone, which are not made again. */
function standIn(): KeyObject {
  key ??= generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  return key
}

/** The value of the recorded form `{ $: kind, value }`. */
export function decodeSpecial(kind: string, value: Recorded): unknown {
  const bytes = () => Buffer.from(String(value), 'base64')
  switch (kind) {
    case 'undefined':
      return undefined
    case 'number':
      return Number(value)
    case 'bigint':
      return BigInt(String(value))
    case 'buffer':
      return bytes()
    case 'bytes':
      return new Uint8Array(bytes())
    case 'date':
      return new Date(Number(value))
    case 'certificate':
      return new X509Certificate(bytes())
    case 'opaque':
      return {}
    case 'private-key':
      return standIn()
    case 'private-pem':
      return standIn().export({ format: 'pem', type: 'pkcs8' })
    case 'public-key':
      return createPublicKey({ key: bytes(), format: 'der', type: 'spki' })
    default:
      throw new Error(`a recording has a value of an unknown kind: ${kind}`)
  }
}
