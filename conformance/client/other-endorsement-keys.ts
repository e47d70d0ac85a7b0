import type { KeyObject } from 'node:crypto'
import { newEcKey } from '../../simulator/soft/ec-key.ts'
import { newRsaPair } from '../../simulator/soft/new-key-pair.ts'
import {
  openCredential,
  type Sealing,
  USUAL_SEALING,
} from '../../simulator/soft/open-credential.ts'
import type { Manufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { EK_RSA2048 } from '../../simulator/swtpm/templates.ts'
import { TPM_ALG, TPM_ECC } from '../../simulator/tpm/constants.ts'
import { HASHES } from '../../simulator/tpm/hash.ts'
import { type TPMT_PUBLIC, writePublic } from '../../simulator/tpm/public.ts'
import { tpm2b } from '../../simulator/tpm/write.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { encodeCertificate } from './agents/registration.ts'
import { base64 } from './bytes.ts'

/** Of the templates H-3 and H-6 of the TCG EK Credential Profile. */
const STRONGER: Sealing = { hash: 'sha384', aesBits: 256 }

/** KeyUsageFlags: `keyAgreement`. */
const AGREES = 16

/** Endorsement keys without a TPM, each with its certificate. */
const OTHER_KEYS = {
  'p-256': { make: () => newEcKey('P-256'), sealing: USUAL_SEALING },
  'p-256-zero': { make: () => newEcKey('P-256', { leadingZero: true }), sealing: USUAL_SEALING },
  'p-384': { make: () => newEcKey('P-384'), sealing: STRONGER },
  'p-224': { make: () => newEcKey('P-224'), sealing: USUAL_SEALING },
  'rsa-1024': { make: () => newRsaPair(1024), sealing: USUAL_SEALING },
  'rsa-17': { make: () => newRsaPair(2048, 17), sealing: USUAL_SEALING },
  'rsa-sha384': { make: () => newRsaPair(2048), sealing: STRONGER },
} as const

export type OtherKey = keyof typeof OTHER_KEYS

/** An endorsement key that no TPM has. */
export interface OtherEndorsementKey {
  /**
   * `ekcert` and `ek_tpm` of a registration. The latter is not in the document; without it the public area would not be
   * known, as these keys have no default template.
   */
  readonly members: Readonly<Record<string, string>>
  /** Opens a credential file for this key and the object with that Name. Throws Error if it is for others. */
  open(blob: Uint8Array, name: Uint8Array): Uint8Array
}

/** Makes another endorsement key than the machine's. */
export async function otherEndorsementKey(
  kind: OtherKey,
  { manufacturer, dialect }: { readonly manufacturer: Manufacturer; readonly dialect: Dialect },
): Promise<OtherEndorsementKey> {
  const { make, sealing } = OTHER_KEYS[kind]
  const { publicKey, privateKey } = make()
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  const change = publicKey.asymmetricKeyType === 'ec' ? { keyUsages: AGREES } : {}
  return {
    members: {
      ekcert: encodeCertificate(await manufacturer.certifyEk(spki, change), dialect),
      ek_tpm: base64(tpm2b(writePublic(endorsementArea(publicKey, sealing)))),
    },
    open: (blob, name) => openCredential(blob, privateKey, name, sealing),
  }
}

const USUAL_EXPONENT = 65537 // TPM 2.0 Part 2, 12.2.3.5: 0 stands for it

const ELLIPTIC_CURVES = {
  secp224r1: { curve: TPM_ECC.NIST_P224, size: 28 },
  prime256v1: { curve: TPM_ECC.NIST_P256, size: 32 },
  secp384r1: { curve: TPM_ECC.NIST_P384, size: 48 },
} as const

/** The public area of an endorsement key on a curve, or with RSA. */
function endorsementArea(key: KeyObject, { hash, aesBits }: Sealing): TPMT_PUBLIC {
  const template = {
    ...EK_RSA2048,
    nameAlg: HASHES[hash].alg,
    symmetric: { alg: TPM_ALG.AES, keyBits: aesBits, mode: TPM_ALG.CFB },
  }
  if (key.asymmetricKeyType === 'rsa') {
    const { n = '' } = key.export({ format: 'jwk' })
    const e = Number(key.asymmetricKeyDetails?.publicExponent)
    const unique = new Uint8Array(Buffer.from(n, 'base64url'))
    return {
      ...template,
      type: 'rsa',
      keyBits: 8 * unique.length,
      exponent: e === USUAL_EXPONENT ? 0 : e,
      unique,
    }
  }
  const { type: _, ...common } = template
  const name = key.asymmetricKeyDetails?.namedCurve as keyof typeof ELLIPTIC_CURVES
  const { curve, size } = ELLIPTIC_CURVES[name]
  // SubjectPublicKeyInfo ends with the uncompressed point. JWK has no name for P-224.
  const point = new Uint8Array(key.export({ format: 'der', type: 'spki' })).slice(-2 * size)
  const [x, y] = [point.slice(0, size), point.slice(size)]
  return { ...common, type: 'ecc', curve, kdf: { alg: TPM_ALG.NULL }, x, y }
}
