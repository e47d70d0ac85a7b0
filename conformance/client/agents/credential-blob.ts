import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { TpmError } from '../../../simulator/tpm/command.ts'
import { CREDENTIAL_MAGIC, parseCredentialBlob } from '../../../simulator/tpm/credential-blob.ts'
import { cat, u32 } from '../../../simulator/tpm/write.ts'
import type { Dialect } from '../../dialects/dialect.ts'

/** Converts a registrar's blob to a tpm2-tools credential file, the form that a machine opens. */
export function openableBlob(blob: Uint8Array, dialect: Dialect): Uint8Array {
  if (dialect['blob-header'] === 'tools') return blob
  return cat(u32(CREDENTIAL_MAGIC), u32(1), blob)
}

/** The TPM and key that try to open a blob. */
export interface BlobPlace {
  readonly machine?: AttestingMachine
  /** Handle of the key that is activated together with the endorsement key. */
  readonly key?: number
}

/** Tries to open a blob in a TPM. Rejects with any error that is not a TPM response code. */
export async function tryBlob(
  blob: Uint8Array,
  { machine, key = machine.ak.handle }: BlobPlace & { readonly machine: AttestingMachine },
): Promise<'opened' | 'refused'> {
  try {
    const handles = { activateHandle: key, keyHandle: machine.ek.handle }
    await machine.tpm.activateCredential({ ...parseCredentialBlob(blob), ...handles })
    return 'opened'
  } catch (error) {
    if (error instanceof TpmError) return 'refused'
    throw error
  }
}
