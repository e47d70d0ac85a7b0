import { createHash } from 'node:crypto'
import { WireError } from '../bytes/wire-error.ts'
import { Writer } from '../bytes/writer.ts'
import { hashById } from './algorithms.ts'
import { decode, type Sized } from './codec.ts'
import { type PublicArea, TPM2B_PUBLIC } from './public.ts'

/**
 * Name of a key: nameAlg, then the hash of the received TPMT_PUBLIC (Part 1 section 16).
 *
 * @param tpm2bPublic TPM2B_PUBLIC as it came; its inner bytes are hashed, never a re-encoding
 * @throws {WireError} when it does not decode, or its nameAlg is NULL or unknown
 */
export function nameOf(tpm2bPublic: Uint8Array): Uint8Array {
  return nameOfReceived(decode(TPM2B_PUBLIC, tpm2bPublic))
}

/** {@link nameOf} for a TPM2B_PUBLIC that has been decoded already. */
export function nameOfReceived(received: Sized<PublicArea>): Uint8Array {
  const { nameAlg } = received.contents
  const hash = hashById(nameAlg)
  if (!hash?.digest)
    throw new WireError(
      'TPM2B_PUBLIC.nameAlg',
      4,
      `0x${nameAlg.toString(16)} is not a hash this side has`,
    )
  const name = new Writer()
  name.u16(nameAlg)
  name.put(createHash(hash.digest).update(received.bytes).digest())
  return name.finish()
}
