import { digest } from '../tpm/hash.ts'
import { filled } from '../tpm/write.ts'
import { fieldsOf, type Measured, nameBytes, TEMPLATE_NAMES } from './fields.ts'
import type { ImaEntry } from './list.ts'
import { templateData } from './template.ts'

const IMA_PCR = 10
const SHA1_SIZE = 20

/** Writes the fields of any template; the name of the original one has no terminator. */
function writeFields(template: string, measured: Measured): readonly Uint8Array[] {
  if (template === 'ima') return [measured.digest, nameBytes(measured.path)]
  const fields = fieldsOf(template)
  if (fields !== undefined) return fields.map((field) => field.write(measured))
  const known = TEMPLATE_NAMES.join(', ')
  throw new RangeError(
    `unknown template ${JSON.stringify(template)}: use one of ${known}, or fields like d-ng|n-ng`,
  )
}

/** Returns an entry whose template hash matches its fields. */
export function hashedEntry(
  entry: Omit<ImaEntry, 'templateHash' | 'pcr'> & { readonly pcr?: number },
): ImaEntry {
  const unhashed = { pcr: IMA_PCR, templateHash: filled(SHA1_SIZE), ...entry }
  return { ...unhashed, templateHash: digest('sha1', templateData(unhashed)) }
}

/**
 * Returns an entry of any template, `ima-sig` or `d-ng|n-ng|sig`, for a measurement. Throws RangeError if a field
 * of the template is unknown, or if the length of the digest does not determine its algorithm.
 */
export function imaEntry(template: string, measured: Measured): ImaEntry {
  return hashedEntry({ template, fields: writeFields(template, measured) })
}

/** Returns an `ima-sig` entry for a file; default without signature. Throws RangeError as {@link imaEntry} does. */
export function imaSigEntry(
  path: string,
  fileDigest: Uint8Array,
  signature: Uint8Array = filled(0),
): ImaEntry {
  return imaEntry('ima-sig', { path, digest: fileDigest, signature })
}

/** Returns the entry for a file that was written during its measurement: zeros for every digest. */
export function violationEntry(path: string, template = 'ima-sig'): ImaEntry {
  const size = template === 'ima' ? SHA1_SIZE : 32
  const fields = writeFields(template, { path, digest: filled(size) })
  return { pcr: IMA_PCR, templateHash: filled(SHA1_SIZE), template, fields }
}

/** Returns an `ima-buf` entry: a named buffer, or a keyring and a key added to it, with its SHA-256. */
export function imaBufEntry(name: string, buffer: Uint8Array): ImaEntry {
  return imaEntry('ima-buf', { path: name, digest: digest('sha256', buffer), buffer })
}
