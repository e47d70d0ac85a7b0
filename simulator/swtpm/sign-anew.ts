import { webcrypto } from 'node:crypto'
import { bits, integer, sequence } from '../x509/der.ts'
import { signedPartsOf } from '../x509/read-certificate.ts'
import { ECDSA_SHA256 } from './subordinates.ts'

/** Of each of the two numbers of a signature on P-256. */
const SCALAR_BYTES = 32

/** The same certificate under another signature, ECDSA over SHA-256; what it says of its algorithm stays. */
export async function signedAnew(
  certificate: Uint8Array,
  key: webcrypto.CryptoKey,
): Promise<Uint8Array> {
  const { body, algorithm } = signedPartsOf(certificate)
  const raw = await webcrypto.subtle.sign(ECDSA_SHA256, key, Uint8Array.from(body))
  const number = (from: number) =>
    integer(BigInt(`0x${Buffer.from(raw, from, SCALAR_BYTES).toString('hex')}`))
  return sequence(body, algorithm, bits(sequence(number(0), number(SCALAR_BYTES))))
}
