import { CREDENTIAL_MAGIC } from '../../simulator/tpm/credential-blob.ts'
import { cat, u32 } from '../../simulator/tpm/write.ts'
import type { Dialect } from './dialect.ts'

/** A registrar's blob as a credential file of tpm2-tools, which is what a machine opens. */
export function openableBlob(blob: Uint8Array, dialect: Dialect): Uint8Array {
  if (dialect['blob-header'] === 'tools') return blob
  return cat(u32(CREDENTIAL_MAGIC), u32(1), blob)
}
