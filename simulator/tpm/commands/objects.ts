import { EMPTY_PASSWORD, issue, type Transmit } from '../command.ts'
import { TPM_CC, TPM_RH } from '../constants.ts'
import { type TPMT_PUBLIC, writePublic } from '../public.ts'
import { cat, tpm2b, u16, u32 } from '../write.ts'

/** A loaded or persistent object: its handle, its TPM2B_PUBLIC with the size, and its Name. */
export interface TpmObject {
  readonly handle: number
  readonly public: Uint8Array
  readonly name: Uint8Array
}

/** An empty TPM2B_SENSITIVE_CREATE: no password, no data. */
const NO_SENSITIVE = tpm2b(cat(u16(0), u16(0)))

/** TPM2_CreatePrimary (Part 3, 24.1) with an empty password. The object is transient: make it persistent or flush it. */
export async function createPrimary(
  transmit: Transmit,
  hierarchy: number,
  template: TPMT_PUBLIC,
): Promise<TpmObject> {
  const { handle, parameters } = await issue(transmit, {
    code: TPM_CC.CreatePrimary,
    handles: [hierarchy],
    sessions: [EMPTY_PASSWORD],
    parameters: cat(NO_SENSITIVE, tpm2b(writePublic(template)), u16(0), u32(0)),
    responseHandles: 1,
  })
  const outPublic = tpm2b(parameters.tpm2b())
  parameters.tpm2b() // creationData
  parameters.tpm2b() // creationHash
  parameters.take(6) // tag and hierarchy of the creation ticket
  parameters.tpm2b()
  return { handle, public: outPublic, name: parameters.tpm2b() }
}

/** TPM2_ReadPublic (Part 3, 12.4). */
export async function readPublicArea(transmit: Transmit, handle: number): Promise<TpmObject> {
  const { parameters } = await issue(transmit, { code: TPM_CC.ReadPublic, handles: [handle] })
  return { handle, public: tpm2b(parameters.tpm2b()), name: parameters.tpm2b() }
}

/**
 * TPM2_EvictControl (Part 3, 28.5) in the owner hierarchy: gives a transient object the persistent handle, or
 * removes a persistent object if both handles are equal.
 */
export async function evictControl(
  transmit: Transmit,
  object: number,
  persistent: number,
): Promise<void> {
  await issue(transmit, {
    code: TPM_CC.EvictControl,
    handles: [TPM_RH.OWNER, object],
    sessions: [EMPTY_PASSWORD],
    parameters: u32(persistent),
  })
}

/** TPM2_FlushContext (Part 3, 28.4): a transient object or a session. */
export async function flushContext(transmit: Transmit, handle: number): Promise<void> {
  await issue(transmit, { code: TPM_CC.FlushContext, parameters: u32(handle) })
}
