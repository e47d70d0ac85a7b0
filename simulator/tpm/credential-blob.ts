import type { Credential } from './commands/credential.ts'
import { Cursor } from './cursor.ts'
import { cat, tpm2b, u32 } from './write.ts'

/** First four bytes of a credential file, as `tpm2_makecredential` writes it. */
export const CREDENTIAL_MAGIC = 0xbadcc0de

/**
 * Parses the two parts of a credential file: magic, version, TPM2B_ID_OBJECT, TPM2B_ENCRYPTED_SECRET, all
 * big-endian.
 */
export function parseCredentialBlob(bytes: Uint8Array): Credential & {
  readonly magic: number
  readonly version: number
  readonly leftover: Uint8Array
} {
  const cursor = new Cursor(bytes, 'credential blob')
  const head = { magic: cursor.u32(), version: cursor.u32() }
  const parts = { idObject: cursor.tpm2b(), encryptedSecret: cursor.tpm2b() }
  return { ...head, ...parts, leftover: cursor.rest() }
}

/** Returns a credential file with these parts; default magic and version 1. */
export function writeCredentialBlob(
  credential: Credential,
  { magic = CREDENTIAL_MAGIC, version = 1 } = {},
): Uint8Array {
  const { idObject, encryptedSecret } = credential
  return cat(u32(magic), u32(version), tpm2b(idObject), tpm2b(encryptedSecret))
}
