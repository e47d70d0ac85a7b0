import { createPublicKey } from 'node:crypto'
import { hashByName } from '../../tpm/algorithms.ts'
import { encode } from '../../tpm/codec.ts'
import { TPM2B_PUBLIC } from '../../tpm/public.ts'

const NOTHING = new Uint8Array()

/** TPM2B_PUBLIC of an RSA-2048 attestation key of which only the PEM was published; scheme RSASSA with `hash`. */
export function publishedKey(pem: Uint8Array, hash: string): Uint8Array {
  const { n = '' } = createPublicKey(Buffer.from(pem)).export({ format: 'jwk' })
  const none = { kind: 'null', value: undefined } as const
  const scheme = { kind: 'rsassa', value: { hashAlg: hashByName(hash)?.id ?? 0 } } as const
  const contents = {
    type: 0x0001,
    nameAlg: 0x000b,
    objectAttributes: 0x00050072,
    authPolicy: NOTHING,
    parameters: { kind: 'rsa', value: { symmetric: none, scheme, keyBits: 2048, exponent: 0 } },
    unique: { kind: 'rsa', value: Buffer.from(n, 'base64url') },
  } as const
  return encode(TPM2B_PUBLIC, { bytes: NOTHING, contents })
}
