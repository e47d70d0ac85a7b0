import { toHex } from '../../../simulator/tpm/write.ts'
import { bytes } from '../show.ts'

/** Types of security.ima and security.evm values (Linux, security/integrity/integrity.h). */
const TYPES: ReadonlyMap<number, string> = new Map([
  [0x01, 'a digest'],
  [0x03, 'file signature'],
  [0x04, 'a digest'],
  [0x05, 'portable signature of attributes'],
  [0x06, 'fs-verity signature'],
])

/** Hash numbers of the kernel (include/uapi/linux/hash_info.h). */
const HASHES: readonly string[] = [
  'md4',
  'md5',
  'sha1',
  'rmd160',
  'sha256',
  'sha384',
  'sha512',
  'sha224',
]

const HEADER_SIZE = 9
const SIGNATURE_TYPES: readonly number[] = [0x03, 0x05, 0x06]

/** One line about a file signature: its kind, hash, key and length. */
export function describeFileSignature(raw: Uint8Array): string {
  if (raw.length === 0) return 'none'
  const [type = 0, version = 0, hash = 0] = raw
  const kind = TYPES.get(type)
  if (kind === undefined || version !== 2 || raw.length < HEADER_SIZE) {
    return `${bytes(raw.length)} of unknown form`
  }
  return `${kind}, ${HASHES[hash] ?? `hash ${hash}`}, key id ${toHex(raw.subarray(3, 7))}, ${bytes(raw.length - HEADER_SIZE)}`
}

/** Describes an error in the header of a file signature; undefined if there is none. */
export function oddFileSignature(raw: Uint8Array): string | undefined {
  if (raw.length === 0) return undefined
  const [type = 0, version = 0] = raw
  if (!SIGNATURE_TYPES.includes(type)) return `type ${type} is not a signature`
  if (version !== 2) return `version ${version}`
  if (raw.length < HEADER_SIZE) return `only ${bytes(raw.length)}`
  const stated = (raw[7] ?? 0) * 256 + (raw[8] ?? 0)
  const there = raw.length - HEADER_SIZE
  return stated === there ? undefined : `its length field is ${stated}, but ${bytes(there)} follow`
}
