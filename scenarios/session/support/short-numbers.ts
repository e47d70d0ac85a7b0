import type { PushAgent, Reply } from '../../../conformance/scenario.ts'
import { parseSignature, type SessionProof, writeSignature } from './engine.ts'

/** Bytes of a number on P-521. */
const SIZE = 66

/** Every fourth signature on P-521 has two numbers that begin with a zero byte. */
const TRIES = 120

/** The number without the zero bytes that it begins with. */
function withoutZeros(number: Uint8Array): Uint8Array {
  return number.subarray(number.findIndex((byte) => byte !== 0))
}

/**
 * A proof by a key on P-521 whose ECDSA numbers are both shorter than the field, and come without leading zeros, as
 * some TPMs leave them out; undefined in the unlikely case that the TPM made none.
 */
export async function proofWithShortNumbers(
  agent: PushAgent,
  session: Reply,
): Promise<SessionProof | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    let longer = SIZE
    const proof = await agent.makeProof(session, {
      signature(bytes) {
        const signature = parseSignature(bytes)
        if (signature.kind !== 'ecc') return bytes
        const [r, s] = [withoutZeros(signature.r), withoutZeros(signature.s)]
        longer = Math.max(r.length, s.length)
        return writeSignature({ ...signature, r, s })
      },
    })
    if (longer < SIZE) return proof
  }
  return undefined
}
