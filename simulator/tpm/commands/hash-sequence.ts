import { EMPTY_PASSWORD, issue, type Transmit } from '../command.ts'
import { TPM_CC, TPM_RH } from '../constants.ts'
import { cat, tpm2b, u16, u32 } from '../write.ts'

/** What a TPM hashed. */
export interface HashedMessage {
  readonly digest: Uint8Array
  /** TPMT_TK_HASHCHECK: with it a restricted key signs the digest; of no use if the message begins as a TPMS_ATTEST. */
  readonly ticket: Uint8Array
}

/** The smallest TPM2B_MAX_BUFFER of a TPM (Part 2, 10.4.8). */
const PIECE = 1024

/** Hashes a message of any length in the TPM: TPM2_HashSequenceStart, SequenceUpdate, SequenceComplete (Part 3, 17). */
export async function hashSequence(
  transmit: Transmit,
  { hashAlg, message }: { readonly hashAlg: number; readonly message: Uint8Array },
): Promise<HashedMessage> {
  const { handle } = await issue(transmit, {
    code: TPM_CC.HashSequenceStart,
    parameters: cat(tpm2b(new Uint8Array()), u16(hashAlg)),
    responseHandles: 1,
  })
  const sequence = { handles: [handle], sessions: [EMPTY_PASSWORD] }
  for (let at = 0; at < message.length; at += PIECE)
    await issue(transmit, {
      ...sequence,
      code: TPM_CC.SequenceUpdate,
      parameters: tpm2b(message.subarray(at, at + PIECE)),
    })
  const { parameters } = await issue(transmit, {
    ...sequence,
    code: TPM_CC.SequenceComplete,
    parameters: cat(tpm2b(new Uint8Array()), u32(TPM_RH.OWNER)),
  })
  return { digest: parameters.tpm2b(), ticket: parameters.rest() }
}
