import { type Bank, HASHES } from '../../../simulator/tpm/hash.ts'
import { parseTpm2bPublic, writePublic } from '../../../simulator/tpm/public.ts'
import { tpm2b } from '../../../simulator/tpm/write.ts'

/** A key's public area with another nameAlg, as TPM2B_PUBLIC. */
export function aikNamedBy(area: Uint8Array, hash: Bank): Uint8Array {
  return tpm2b(writePublic({ ...parseTpm2bPublic(area), nameAlg: HASHES[hash].alg }))
}
