import { concat, Writer } from '../../bytes/writer.ts'
import { encode, nothing, struct, tpm2b, u32 } from '../codec.ts'
import { type PublicArea, TPM2B_PUBLIC } from '../public.ts'
import { TPM2B_DIGEST, TPM2B_NAME } from '../structures-common.ts'
import type { Transmit } from '../transports/open-tpm.ts'
import { type Authorization, issue } from './command.ts'
import {
  creationData,
  publicBytes,
  type SavedContext,
  TPM2B_PRIVATE,
  TPMS_CONTEXT,
  ticket,
} from './structures.ts'

/** A key in the TPM: its handle, and its TPM2B_PUBLIC with the size. */
export interface LoadedKey {
  readonly handle: number
  readonly public: Uint8Array
}

/** A key outside of the TPM, which only its parent can load: TPM2B_PUBLIC and TPM2B_PRIVATE, with their sizes. */
export interface WrappedKey {
  readonly public: Uint8Array
  readonly private: Uint8Array
}

/** TPM2B_SENSITIVE_CREATE without password and data, TPM2B_PUBLIC, no outsideInfo, no PCRs (Part 3, 12.1 and 24.1). */
function creationParameters(template: PublicArea): Uint8Array {
  const writer = new Writer()
  writer.u16(4)
  writer.u32(0)
  writer.put(encode(TPM2B_PUBLIC, { bytes: new Uint8Array(), contents: template }))
  writer.u16(0)
  writer.u32(0)
  return writer.finish()
}

/** TPM2_CreatePrimary (Part 3, 24.1). The key is transient: the caller must flush it. */
export async function createPrimary(
  transmit: Transmit,
  hierarchy: number,
  authorization: Authorization,
  template: PublicArea,
): Promise<LoadedKey> {
  const { handle, parameters } = await issue(transmit, {
    ...{ name: 'CreatePrimary', code: 0x131, givesHandle: true },
    handles: [hierarchy],
    sessions: [authorization],
    parameters: creationParameters(template),
    answer: struct('CreatePrimary', {
      outPublic: publicBytes,
      creationData,
      creationHash: TPM2B_DIGEST,
      creationTicket: ticket,
      name: TPM2B_NAME,
    }),
  })
  return { handle, public: encode(publicBytes, parameters.outPublic) }
}

/** TPM2_Create (Part 3, 12.1): a key that is not loaded. */
export async function create(
  transmit: Transmit,
  parent: number,
  authorization: Authorization,
  template: PublicArea,
): Promise<WrappedKey> {
  const { parameters } = await issue(transmit, {
    ...{ name: 'Create', code: 0x153 },
    handles: [parent],
    sessions: [authorization],
    parameters: creationParameters(template),
    answer: struct('Create', {
      outPrivate: TPM2B_PRIVATE,
      outPublic: publicBytes,
      creationData,
      creationHash: TPM2B_DIGEST,
      creationTicket: ticket,
    }),
  })
  return {
    public: encode(publicBytes, parameters.outPublic),
    private: encode(TPM2B_PRIVATE, parameters.outPrivate),
  }
}

/** TPM2_Load (Part 3, 12.2) under the parent that it was created under. */
export async function load(
  transmit: Transmit,
  parent: number,
  authorization: Authorization,
  key: WrappedKey,
): Promise<LoadedKey> {
  const { handle } = await issue(transmit, {
    ...{ name: 'Load', code: 0x157, givesHandle: true },
    handles: [parent],
    sessions: [authorization],
    parameters: concat(key.private, key.public),
    answer: struct('Load', { name: TPM2B_NAME }),
  })
  return { handle, public: key.public }
}

/** TPM2_ReadPublic (Part 3, 12.4) */
export async function readPublic(transmit: Transmit, handle: number): Promise<LoadedKey> {
  const { parameters } = await issue(transmit, {
    ...{ name: 'ReadPublic', code: 0x173 },
    handles: [handle],
    answer: struct('ReadPublic', {
      outPublic: publicBytes,
      name: TPM2B_NAME,
      qualifiedName: TPM2B_NAME,
    }),
  })
  return { handle, public: encode(publicBytes, parameters.outPublic) }
}

/** TPM2_ContextSave (Part 3, 28.2): the key stays loaded; the saved context can be loaded until the TPM is reset. */
export async function contextSave(transmit: Transmit, handle: number): Promise<SavedContext> {
  const { parameters } = await issue(transmit, {
    ...{ name: 'ContextSave', code: 0x162 },
    handles: [handle],
    answer: TPMS_CONTEXT,
  })
  return parameters
}

/** TPM2_ContextLoad (Part 3, 28.3) */
export async function contextLoad(transmit: Transmit, context: SavedContext): Promise<number> {
  const { handle } = await issue(transmit, {
    ...{ name: 'ContextLoad', code: 0x161, givesHandle: true },
    parameters: encode(TPMS_CONTEXT, context),
    answer: nothing,
  })
  return handle
}

/** TPM2_FlushContext (Part 3, 28.4): a transient key or a session. */
export async function flushContext(transmit: Transmit, handle: number): Promise<void> {
  await issue(transmit, {
    ...{ name: 'FlushContext', code: 0x165 },
    parameters: encode(u32, handle),
    answer: nothing,
  })
}

const activated = struct('ActivateCredential', { certInfo: tpm2b('TPM2B_DIGEST', 64) })

/**
 * TPM2_ActivateCredential (Part 3, 12.5).
 *
 * @param credential TPM2B_ID_OBJECT and TPM2B_ENCRYPTED_SECRET, with their sizes
 * @throws {TpmRefusal} TPM_RC_INTEGRITY when it is sealed to another key or for another object's Name
 */
export async function activateCredential(
  transmit: Transmit,
  handles: { readonly activate: number; readonly key: number },
  sessions: readonly [activate: Authorization, key: Authorization],
  credential: Uint8Array,
): Promise<Uint8Array> {
  const { parameters } = await issue(transmit, {
    ...{ name: 'ActivateCredential', code: 0x147 },
    handles: [handles.activate, handles.key],
    sessions,
    parameters: credential,
    answer: activated,
  })
  return parameters.certInfo
}
