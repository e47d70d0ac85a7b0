import type { TpmObject } from '../tpm/commands/objects.ts'
import type { Bank } from '../tpm/hash.ts'
import { parseTpm2bPublic, pemOf } from '../tpm/public.ts'
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

/** Returns an existing signing key with these parameters at `handle`. Rejects with TpmError if there is none. */
export async function findSigningKey(
  tpm: Tpm,
  handle: number,
  algorithm: AkAlgorithm,
  options: SigningKeyOptions = {},
): Promise<SigningKey> {
  return keyOf(await tpm.readPublic(handle), algorithm, options)
}

function keyOf(
  made: TpmObject,
  algorithm: AkAlgorithm,
  { scheme = usualScheme(algorithm), hash = 'sha256' }: SigningKeyOptions,
): SigningKey {
  const publicPem = pemOf(parseTpm2bPublic(made.public))
  return { ...made, publicPem, algorithm, scheme, hash }
}
