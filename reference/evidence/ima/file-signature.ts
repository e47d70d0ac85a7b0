import { hash } from 'node:crypto'
import { fromHex } from '../../bytes/hex.ts'
import { Reader } from '../../bytes/reader.ts'
import { rowOf, table } from '../../bytes/table.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { ImaContent } from './list/fields.ts'

/** A hash of the kernel, with the parameters for signatures over it. */
interface SignatureHash {
  /** name in the list */
  readonly name: string
  /** number in a signature (enum hash_algo of the kernel) */
  readonly id: number
  /** DER before the digest in an RSASSA-PKCS1-v1_5 signature (RFC 8017 section 9.2 note 1) */
  readonly digestInfo: string
}

/** Hashes that file signatures are verified with; MD5 and the others of the kernel are not among them. */
const hashes = table<string, SignatureHash>({
  sha1: { name: 'sha1', id: 2, digestInfo: '3021300906052b0e03021a05000414' },
  sha224: { name: 'sha224', id: 7, digestInfo: '302d300d06096086480165030402040500041c' },
  sha256: { name: 'sha256', id: 4, digestInfo: '3031300d060960864801650304020105000420' },
  sha384: { name: 'sha384', id: 5, digestInfo: '3041300d060960864801650304020205000430' },
  sha512: { name: 'sha512', id: 6, digestInfo: '3051300d060960864801650304020305000440' },
})

/** The header of a file signature and what follows it. */
interface FileSignature {
  readonly type: number
  readonly version: number
  readonly hashId: number
  readonly keyId: number
  readonly sig: Uint8Array
}

/** The input of a signature verification: digest, hash and signature. */
export interface SignatureClaim {
  readonly keyId: number
  readonly hash: SignatureHash
  readonly digest: Uint8Array
  readonly sig: Uint8Array
}

/** Types of a `security.ima` attribute that are a signature of a file (enum evm_ima_xattr_type of the kernel). */
const DIGSIG = 0x03
const VERITY_DIGSIG = 0x06

const EVM = 0x05

/**
 * Reads a `security.ima` attribute (signature_v2_hdr of the kernel): type, version, hash, key id and length in big
 * endian, signature.
 *
 * @throws {WireError} when it is cut, or its length is not that of what follows
 */
function parseFileSignature(bytes: Uint8Array): FileSignature {
  const reader = new Reader(bytes, 'security.ima')
  const type = reader.field('.type', () => reader.u8())
  const version = reader.field('.version', () => reader.u8())
  const hashId = reader.field('.hash_algo', () => reader.u8())
  const keyId = reader.field('.keyid', () => reader.u32())
  const size = reader.field('.sig_size', () => reader.u16())
  const sig = reader.field('.sig', () => reader.take(size))
  reader.finish()
  return { type, version, hashId, keyId, sig }
}

/**
 * The parsed signature of an entry, or the reason why it cannot be checked.
 *
 * Version 2 signs the digest of the file as the list shows it. Version 3 signs the hash of the type, the hash and the
 * digest (ima_file_id of the kernel), so that the digest of a whole file and that of an fs-verity tree, type 6, cannot
 * stand for each other. A signature of EVM, type 5, covers metadata that the entry does not show.
 */
export function claimOf(content: ImaContent, bytes: Uint8Array): SignatureClaim | string {
  const signature = parsed(bytes)
  if (typeof signature === 'string') return signature
  const { hashId, keyId, sig } = signature
  const { algorithm, hex } = content.digest
  const row = rowOf(hashes, algorithm)
  if (!row) return `a digest of ${algorithm} is not verified by signature`
  if (row.id !== hashId)
    return `security.ima.hash_algo at byte 2: ${hashId} is not that of ${algorithm}, which is ${row.id}`
  const wrong = wrongForm(signature, content.digestType)
  if (wrong) return wrong
  const file = fromHex(hex)
  const digest = signature.version === 2 ? file : fileIdHash(signature, row, file)
  return { keyId, hash: row, digest, sig }
}

function parsed(bytes: Uint8Array): FileSignature | string {
  try {
    return parseFileSignature(bytes)
  } catch (error) {
    if (error instanceof WireError) return error.message
    throw error
  }
}

/** Forms of a signature: type, version, and the types of a digest that such a signature is over. */
const FORMS: readonly (readonly [number, number, readonly ImaContent['digestType'][]])[] = [
  [DIGSIG, 2, [undefined, 'ima']],
  [DIGSIG, 3, [undefined, 'ima']],
  [VERITY_DIGSIG, 3, ['verity']],
]

function wrongForm(
  { type, version }: FileSignature,
  digestType: ImaContent['digestType'],
): string | undefined {
  if (type === EVM) return 'security.ima.type at byte 0: 5 signs metadata, not the file'
  const form = FORMS.find((each) => each[0] === type && each[1] === version)
  if (!form) return `security.ima at byte 0: type ${type} of version ${version} is not verified`
  if (form[2].includes(digestType)) return undefined
  return `security.ima.type at byte 0: ${type} does not sign a digest of type ${digestType ?? 'ima'}`
}

function fileIdHash({ type }: FileSignature, { name, id }: SignatureHash, file: Uint8Array) {
  return hash(name, Buffer.concat([Uint8Array.of(type, id), file]), 'buffer')
}
