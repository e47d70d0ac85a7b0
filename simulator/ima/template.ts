import { BANKS, type Bank, digest, HASHES } from '../tpm/hash.ts'
import { cat, equal, filled, text, u32le } from '../tpm/write.ts'
import { type ImaEntry, isViolation } from './list.ts'

/** Bytes to which the original `ima` template pads a name before it is hashed. */
const IMA_NAME_PADDED = 256

/** The banks whose hash a kernel has built in when IMA starts; Debian loads SHA-384 and SHA-512 as modules, too late. */
export const DEBIAN_HASHES: readonly Bank[] = ['sha1', 'sha256']

/** The bytes of which the template hash is the hash: counted fields, or for `ima` digest and padded name. */
export function templateData({ template, fields }: ImaEntry): Uint8Array {
  if (template !== 'ima') return cat(...fields.flatMap((field) => [u32le(field.length), field]))
  const [head = filled(0), name = filled(0)] = fields
  return cat(head, name, filled(Math.max(0, IMA_NAME_PADDED - name.length)))
}

/**
 * What the kernel extends into each bank for an entry: the bank's own hash of the template data where the kernel
 * has that hash, else the listed SHA-1 template hash padded with zeros; 0xFF of the bank's length for a violation.
 */
export function extendValues(
  entry: ImaEntry,
  kernelHashes: readonly Bank[] = DEBIAN_HASHES,
): Record<Bank, Uint8Array> {
  const value = (bank: Bank): Uint8Array => {
    const { size } = HASHES[bank]
    if (isViolation(entry)) return filled(size, 0xff)
    if (bank === 'sha1') return entry.templateHash
    if (kernelHashes.includes(bank)) return digest(bank, templateData(entry))
    return cat(entry.templateHash, filled(size - entry.templateHash.length))
  }
  return {
    sha1: value('sha1'),
    sha256: value('sha256'),
    sha384: value('sha384'),
    sha512: value('sha512'),
  }
}

/** Digest field of the `-ng` templates: `sha256:`, a zero byte, the digest. */
function digestField(bank: Bank, fileDigest: Uint8Array): Uint8Array {
  return cat(text(`${bank}:`), filled(1), fileDigest)
}

function bankOfLength(length: number): Bank {
  const bank = BANKS.find((candidate) => HASHES[candidate].size === length)
  if (bank === undefined)
    throw new RangeError(`a file digest of ${length} bytes is of no known hash`)
  return bank
}

function entryOf(template: string, fields: readonly Uint8Array[]): ImaEntry {
  const unhashed = { pcr: 10, templateHash: filled(20), template, fields }
  return { ...unhashed, templateHash: digest('sha1', templateData(unhashed)) }
}

/** A file name as the kernel lists it: blanks become `_`, and a zero byte ends it. */
function nameField(path: string): Uint8Array {
  return cat(text(path.replaceAll(' ', '_')), filled(1))
}

/**
 * An `ima-sig` entry for a file, without signature unless given. The length of the digest says its algorithm;
 * throws RangeError when it is of none.
 */
export function imaSigEntry(
  path: string,
  fileDigest: Uint8Array,
  signature: Uint8Array = filled(0),
): ImaEntry {
  const head = digestField(bankOfLength(fileDigest.length), fileDigest)
  return entryOf('ima-sig', [head, nameField(path), signature])
}

/** A violation entry for a file: zero digest, zero template hash. */
export function violationEntry(path: string): ImaEntry {
  const fields = [digestField('sha256', filled(32)), nameField(path), filled(0)]
  return { pcr: 10, templateHash: filled(20), template: 'ima-sig', fields }
}

/** An `ima-buf` entry: a named buffer and its SHA-256. */
export function imaBufEntry(name: string, buffer: Uint8Array): ImaEntry {
  const head = digestField('sha256', digest('sha256', buffer))
  return entryOf('ima-buf', [head, nameField(name), buffer])
}

/** Whether the listed template hash is the SHA-1 of the template data. */
export function templateHashHolds(entry: ImaEntry): boolean {
  return equal(entry.templateHash, digest('sha1', templateData(entry)))
}
