import { hash, type KeyObject, sign } from 'node:crypto'
import type { ImaContent } from '../ima/list/fields.ts'

/** How a signature of a file is made; everything can be wrong. */
export interface FileSigning {
  readonly key: KeyObject
  readonly keyId: number
  readonly file?: Uint8Array
  readonly hash?: string
  readonly type?: number
  readonly version?: number
  /** what the key signs; default: the file, or for version 3 the file_id of its digest */
  readonly over?: Uint8Array
  /** bytes after the header */
  readonly sig?: Uint8Array
  readonly size?: number
}

export const FILE: Uint8Array = Buffer.from('what the file holds\n')

const HASH_IDS: Readonly<Record<string, number>> = {
  md5: 1,
  sha1: 2,
  sha256: 4,
  sha384: 5,
  sha512: 6,
  sha224: 7,
}

/** `security.ima` of a file, spelled out byte by byte. */
export function signFile(signing: FileSigning): Uint8Array {
  const { key, keyId, file = FILE, hash: name = 'sha256', type = 3, version = 2 } = signing
  const id = HASH_IDS[name] ?? 0
  const fileId = Buffer.concat([Buffer.of(type, id), hash(name, file, 'buffer')])
  const over = signing.over ?? (version === 3 ? fileId : file)
  const sig = signing.sig ?? sign(name, over, key)
  const header = Buffer.alloc(9)
  header.set([type, version, id])
  header.writeUInt32BE(keyId, 3)
  header.writeUInt16BE(signing.size ?? sig.length, 7)
  return new Uint8Array(Buffer.concat([header, sig]))
}

/** The content of an entry for a file and its signature. */
export function signedContent(
  signature: Uint8Array,
  { file = FILE, hash: name = 'sha256' }: Partial<FileSigning> = {},
  change: Partial<ImaContent> = {},
): ImaContent {
  const digest = { algorithm: name, hex: hash(name, file, 'hex') }
  return { digest, name: '/usr/bin/signed', exactName: true, signature, ...change }
}
