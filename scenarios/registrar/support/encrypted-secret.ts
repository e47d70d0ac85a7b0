import { base64 } from '../../../conformance/client/bytes.ts'
import type { Dialect } from '../../../conformance/dialects/dialect.ts'
import type { Reply } from '../../../conformance/scenario.ts'
import { parseCredentialBlob } from '../../../simulator/tpm/credential-blob.ts'
import { readBlob } from './engine.ts'

/** The part of a registration's blob that leads to its seed: for an ECC key, an ephemeral point. In base64. */
export function encryptedSecretOf(registration: Reply, dialect: Dialect): string {
  return base64(parseCredentialBlob(readBlob(registration, dialect)).encryptedSecret)
}
