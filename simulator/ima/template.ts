import { type Bank, digest, HASHES } from '../tpm/hash.ts'
import { cat, equal, filled, join, u32le } from '../tpm/write.ts'
import { type ImaEntry, isViolation } from './list.ts'

/** Bytes to which the original `ima` template pads a name before it is hashed. */
const IMA_NAME_PADDED = 256

/**
 * The banks whose hash a kernel has built in when IMA starts; Debian loads SHA-384 and SHA-512 as modules, too
 * late.
 */
const DEBIAN_HASHES: readonly Bank[] = ['sha1', 'sha256']

/** Returns the bytes that the template hash covers: counted fields, or for `ima` digest and padded name. */
export function templateData({ template, fields }: ImaEntry): Uint8Array {
  if (template !== 'ima') return join(fields.flatMap((field) => [u32le(field.length), field]))
  const [head = filled(0), name = filled(0)] = fields
  return cat(head, name, filled(Math.max(0, IMA_NAME_PADDED - name.length)))
}

/**
 * Returns what the kernel extends into each bank for an entry: the bank's own hash of the template data if the
 * kernel has that hash, else the listed SHA-1 template hash padded with zeros; 0xFF of the bank's length for a
 * violation.
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

/** Whether the listed template hash is the SHA-1 of the template data. */
export function templateHashHolds(entry: ImaEntry): boolean {
  return equal(entry.templateHash, digest('sha1', templateData(entry)))
}
