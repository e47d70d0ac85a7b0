import { type Codec, type Decoded, struct, tpm2b, u16, u32, u64 } from '../codec.ts'
import { TPM2B_DIGEST } from '../structures-common.ts'

/** The rest of the parameters, as received: its verifier checks the TPMT_SIGNATURE. */
export const rest: Codec<Uint8Array> = {
  name: 'rest',
  read: (reader) => reader.take(reader.remaining),
  write: (writer, value) => writer.put(value),
}

/** A TPM2B_PUBLIC without its size, as it came. */
export const publicBytes = tpm2b('TPM2B_PUBLIC', 1024)

/** TPM2B_PRIVATE (Part 2, 12.3.7): only the TPM that made it can open it */
export const TPM2B_PRIVATE = tpm2b('TPM2B_PRIVATE', 2048)

/** A ticket (Part 2, 10.7); this implementation never uses one. */
export const ticket = struct('TPMT_TK', { tag: u16, hierarchy: u32, digest: TPM2B_DIGEST })

/** TPM2B_CREATION_DATA (Part 2, 15.2), unread */
export const creationData = tpm2b('TPM2B_CREATION_DATA', 1024)

/** TPMS_CONTEXT (Part 2, 14.5) */
export const TPMS_CONTEXT = struct('TPMS_CONTEXT', {
  sequence: u64,
  savedHandle: u32,
  hierarchy: u32,
  contextBlob: tpm2b('TPM2B_CONTEXT_DATA', 8192),
})

export type SavedContext = Decoded<typeof TPMS_CONTEXT>
