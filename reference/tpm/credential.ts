import { constant, sized, struct, tpm2b, u32 } from './codec.ts'
import { TPM2B_DIGEST } from './structures-common.ts'

/** TPMS_ID_OBJECT (Part 2, 12.4.2): `encIdentity` is the encrypted TPM2B_DIGEST with the secret, all that is left */
const TPMS_ID_OBJECT = struct('TPMS_ID_OBJECT', {
  integrityHMAC: TPM2B_DIGEST,
  encIdentity: {
    name: 'encIdentity',
    read: (reader) => reader.take(reader.remaining),
    write: (writer, value: Uint8Array) => writer.put(value),
  },
})

/** TPM2B_ID_OBJECT (Part 2, 12.4.3) */
export const TPM2B_ID_OBJECT = sized('TPM2B_ID_OBJECT', TPMS_ID_OBJECT, 2 + 64 + 2 + 64)

/** TPM2B_ENCRYPTED_SECRET (Part 2, 11.4.33): an OAEP block, or a TPMS_ECC_POINT */
export const TPM2B_ENCRYPTED_SECRET = tpm2b('TPM2B_ENCRYPTED_SECRET', 512)

/** Credential file of the usual tools: magic, version, and what TPM2_ActivateCredential takes. */
export const CREDENTIAL_FILE = struct('CREDENTIAL_FILE', {
  magic: constant(u32, 0xbadcc0de),
  version: constant(u32, 1),
  credentialBlob: TPM2B_ID_OBJECT,
  secret: TPM2B_ENCRYPTED_SECRET,
})
