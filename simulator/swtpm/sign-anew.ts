import { webcrypto } from 'node:crypto'
import { bits, integer, sequence } from '../x509/der.ts'
import { signedPartsOf } from '../x509/read-certificate.ts'
import { ECDSA_SHA256 } from './subordinates.ts'

/** Bytes of each of the two numbers of a signature on P-256. */
const SCALAR_BYTES = 32

/** Returns the certificate with another signature, ECDSA over SHA-256; its algorithm fields are not changed. */
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
