import { isDeepStrictEqual } from 'node:util'
import type { TpmObject } from '../tpm/commands/objects.ts'
import type { Bank } from '../tpm/hash.ts'
import { parseTpm2bPublic, pemOf, type TPMT_PUBLIC } from '../tpm/public.ts'
import type { Tpm } from '../tpm/tpm.ts'
import { makePersistentKey } from './provision.ts'
import {
  type AkAlgorithm,
  type SchemeName,
  type SigningKeyOptions,
  signingTemplate,
  usualScheme,
} from './templates.ts'

/** A signing key at a persistent handle. */
export interface SigningKey {
  readonly handle: number
  /** TPM2B_PUBLIC, with its size. */
  readonly public: Uint8Array
  /** nameAlg and digest: 34 bytes. */
  readonly name: Uint8Array
  /** SubjectPublicKeyInfo in PEM. */
  readonly publicPem: string
  readonly algorithm: AkAlgorithm
  /** Absent for the default: RSASSA or ECDSA, with SHA-256. */
  readonly scheme?: SchemeName
  readonly hash?: Bank
}

/** Creates a signing primary key in the endorsement hierarchy at the persistent handle `handle`. */
export async function makeSigningKey(
  tpm: Tpm,
  handle: number,
  algorithm: AkAlgorithm,
  options: SigningKeyOptions = {},
): Promise<SigningKey> {
  const template = signingTemplate(algorithm, options)
  return keyOf(await makePersistentKey(tpm.transmit, template, handle), algorithm, options)
}

/**
 * Returns the signing key with these parameters at `handle`. Rejects with TpmError if there is none, and with RangeError
 * if it has other parameters.
 */
export async function findSigningKey(
  tpm: Tpm,
  handle: number,
  algorithm: AkAlgorithm,
  options: SigningKeyOptions = {},
): Promise<SigningKey> {
  const found = await tpm.readPublic(handle)
  const isOfKind = isDeepStrictEqual(
    withoutKey(parseTpm2bPublic(found.public)),
    withoutKey(signingTemplate(algorithm, options)),
  )
  if (!isOfKind) throw new RangeError(`the attestation key of the TPM is not ${algorithm}`)
  return keyOf(found, algorithm, options)
}

/** What a key has in common with its template. */
function withoutKey(area: TPMT_PUBLIC): object {
  const { type, nameAlg, objectAttributes, scheme } = area
  const size = area.type === 'rsa' ? area.keyBits : area.curve
  return { type, nameAlg, objectAttributes, scheme, size }
}

function keyOf(
  made: TpmObject,
  algorithm: AkAlgorithm,
  { scheme = usualScheme(algorithm), hash = 'sha256' }: SigningKeyOptions,
): SigningKey {
  const publicPem = pemOf(parseTpm2bPublic(made.public))
  return { ...made, publicPem, algorithm, scheme, hash }
}
