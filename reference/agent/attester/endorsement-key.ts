import type { KeyKind } from '../../config/algorithms.ts'
import { type Authorization, TPM_RH } from '../../tpm/commands/command.ts'
import { readNv } from '../../tpm/commands/nv.ts'
import { createPrimary, readPublic } from '../../tpm/commands/objects.ts'
import { ENDORSEMENT_TEMPLATES } from '../../tpm/endorsement-template.ts'
import type { Transmit } from '../../tpm/transports/open-tpm.ts'
import { type KeptKey, keptKey, persistentKey } from './kept-key.ts'

/** The identity of a TPM: a key that never leaves it, and its maker's certificate. */
export interface EndorsementKey extends KeptKey {
  /** DER; undefined where the TPM has no certificate for a key of this kind. */
  readonly certificate: Uint8Array | undefined
}

/**
 * The default endorsement key of that kind, made of its template, or the one at a persistent handle.
 *
 * @param hierarchy authorization of the endorsement hierarchy
 */
export async function loadEndorsementKey(
  transmit: Transmit,
  kind: KeyKind,
  hierarchy: Authorization,
  handle: number | undefined,
): Promise<EndorsementKey> {
  const { area, certificateIndex } = ENDORSEMENT_TEMPLATES[kind]
  const key =
    handle === undefined
      ? keptKey(transmit, () => createPrimary(transmit, TPM_RH.ENDORSEMENT, hierarchy, area))
      : persistentKey(await readPublic(transmit, handle))
  const stored = await readNv(transmit, certificateIndex)
  return { ...key, certificate: stored && withoutPadding(stored) }
}

/** A certificate may be stored in a larger index: its DER header gives its length (X.690, 8.1.3). */
function withoutPadding(stored: Uint8Array): Uint8Array {
  const [tag, form, high = 0, low = 0] = stored
  return tag === 0x30 && form === 0x82 ? stored.subarray(0, 4 + high * 256 + low) : stored
}
