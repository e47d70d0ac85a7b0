import { createDecipheriv } from 'node:crypto'
import { fromBase64 } from '../../../bytes/base64.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import type { TenantOptions } from '../../options.ts'
import { loadFile } from '../../policies/load-policy.ts'
import { TenantFault } from '../../tenant-fault.ts'
import type { BootstrapKeys } from './bootstrap-keys.ts'

/** A payload that was encrypted before, with the keys that it was encrypted for. */
export interface SealedPayload {
  readonly keys: BootstrapKeys
  /** base64 of IV, AES-256-GCM ciphertext and tag; undefined where keys alone are given. */
  readonly text: string | undefined
}

const KEY_BYTES = 32
const [IV_BYTES, TAG_BYTES] = [16, 16]
/**
 * What `--key` and `--payload` name: K, V and U in base64, a line each, and the payload under K in base64. Nothing is
 * sent of what does not belong together.
 *
 * @throws {TenantFault} `usage`
 */
export function readSealedPayload(options: TenantOptions): SealedPayload | undefined {
  const { key, payload, file } = options
  if (key === undefined && payload === undefined) return undefined
  if (file !== undefined)
    throw usage(
      '--file FILE and --key FILE are given',
      'give either a plain or an encrypted payload',
    )
  if (key === undefined)
    throw usage(
      '--payload FILE is given without its key',
      'name the file of its keys with --key FILE',
    )
  return parseSealedPayload(
    { name: key, text: textOf('--key FILE', key) },
    payload === undefined
      ? undefined
      : { name: payload, text: textOf('--payload FILE', payload).trim() },
  )
}

/** A text with the name that messages give it. */
interface NamedText {
  readonly name: string
  readonly text: string
}

/** The same of two texts. @throws {TenantFault} `usage` */
export function parseSealedPayload(key: NamedText, payload: NamedText | undefined): SealedPayload {
  const keys = keysIn(key.text, key.name)
  if (payload !== undefined && !opens(keys.k, payload.text))
    throw usage(
      `${key.name} does not open ${payload.name}`,
      'name the two files that were written together',
    )
  return { keys, text: payload?.text }
}

function textOf(option: string, file: string): string {
  return Buffer.from(loadFile(option, file)).toString('utf8')
}

function keysIn(text: string, file: string): BootstrapKeys {
  const lines = text.split('\n')
  const key = (name: string, line: number) =>
    keyIn(lines[line - 1]?.trim() ?? '', `${file}:${line}`, name)
  const [k, v, u] = [key('K', 1), key('V', 2), key('U', 3)]
  if (k.every((byte, at) => byte === ((u[at] ?? 0) ^ (v[at] ?? 0)))) return { k, v, u }
  throw usage(
    `${file}: U and V do not make K`,
    'have the keys made anew; the three belong together',
  )
}

function keyIn(line: string, place: string, name: string): Uint8Array {
  const bytes = bytesOf(line)
  if (bytes?.length === KEY_BYTES) return bytes
  throw usage(
    `${place}: ${name} is not ${KEY_BYTES} bytes in base64`,
    'the file holds K, V and U in base64, a line each',
  )
}

function bytesOf(line: string): Uint8Array | undefined {
  try {
    return fromBase64(line)
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

function opens(k: Uint8Array, text: string): boolean {
  const sealed = bytesOf(text)
  if (sealed === undefined || sealed.length < IV_BYTES + TAG_BYTES) return false
  const decipher = createDecipheriv('aes-256-gcm', k, sealed.subarray(0, IV_BYTES))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES))
    decipher.final()
    return true
  } catch {
    return false
  }
}

function usage(sentence: string, next: string): TenantFault {
  return new TenantFault('usage', sentence, next)
}
