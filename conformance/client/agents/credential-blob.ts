import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { SwtpmError } from '../../../simulator/swtpm/errors.ts'
import { TpmError } from '../../../simulator/tpm/command.ts'
import { CREDENTIAL_MAGIC, parseCredentialBlob } from '../../../simulator/tpm/credential-blob.ts'
import { cat, u32 } from '../../../simulator/tpm/write.ts'
import { showMember } from '../../attempt/check.ts'
import { PrerequisiteFailed } from '../../attempt/endings.ts'
import { type Reply, results } from '../../attempt/reply.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { unbase64 } from '../bytes.ts'

/** Converts a registrar's blob to a tpm2-tools credential file, the form that a machine opens. */
export function openableBlob(blob: Uint8Array, dialect: Dialect): Uint8Array {
  if (dialect['blob-header'] === 'tools') return blob
  return cat(u32(CREDENTIAL_MAGIC), u32(1), blob)
}

/** The blob of a registration, as a tpm2-tools credential file. @throws {PrerequisiteFailed} if it has none */
export function readBlob(registration: Reply, dialect: Dialect): Uint8Array {
  const blob = results(registration, 'blob')
  if (typeof blob === 'string') return openableBlob(unbase64(blob), dialect)
  throw new PrerequisiteFailed({
    ...{ requirement: 'REG-BLOB-TEXT', what: '`blob` of the registration answer' },
    ...{ expected: 'a string in base64', received: showMember(blob, registration) },
  })
}

/**
 * Opens the blob of a registration.
 *
 * @throws {PrerequisiteFailed} if it is not for these keys, or not a credential at all
 */
export async function openBlob(
  registration: Reply,
  dialect: Dialect,
  open: (blob: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): Promise<Uint8Array> {
  const blob = readBlob(registration, dialect)
  try {
    return await open(blob)
  } catch (error) {
    throw unopened(error)
  }
}

/** The failed step for an error of a TPM or a parser; errors of the harness and of swtpm are returned unchanged. */
function unopened(error: unknown): unknown {
  if (error instanceof SwtpmError || error instanceof TypeError || !(error instanceof Error))
    return error
  return new PrerequisiteFailed({
    ...{ requirement: 'REG-BLOB-FOR-EK-AND-AIK', what: '`blob` in the TPM of the agent' },
    ...{ expected: 'a challenge', received: error.message },
  })
}

/** The TPM and key that try to open a blob. */
export interface BlobPlace {
  readonly machine?: AttestingMachine
  /** Handle of the key that is activated together with the endorsement key. */
  readonly key?: number
}

/**
 * Tries to open the blob of a registration in a TPM.
 *
 * @throws {PrerequisiteFailed} if it is not a credential at all
 */
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
    throw unopened(error)
  }
}
