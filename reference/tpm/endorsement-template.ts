import type { KeyObject } from 'node:crypto'
import { fromHex } from '../bytes/hex.ts'
import { encode } from './codec.ts'
import { type PublicArea, TPM2B_PUBLIC, TPMA_OBJECT } from './public.ts'

/** PolicySecret(TPM_RH_ENDORSEMENT), the authPolicy of the low-range templates (TCG EK Credential Profile, B.3). */
const POLICY_A = '837197674484b3f81a90cc8d46a5d724fd52d76e06520b64f2a1da1b331469aa'

/** PolicyB of the high-range templates: the user's password, or that policy, or one in an NV index (B.6.4, B.6.5). */
const POLICY_B_384 =
  'b26e7d28d11a50bc53d882bcf5fd3a1a074148bb35d3b4e4cb1c0ad9bde419cacb47ba09699646150f9fc000f3f80e12'
const POLICY_B_512 =
  'b8221ca69e8550a4914de3faa6a18c072cc01208073a928d5d66d59ef79e49a4' +
  '29c41a6b269571d57edb25fbdb1838425608b413cd616a5f6db5b6071af99bea'

const SHA256 = 0x000b
const SHA384 = 0x000c
const SHA512 = 0x000d
const aesCfb = (keyBits: number) => ({ kind: 'aes', value: { keyBits, mode: 0x0043 } }) as const
const NONE = { kind: 'null', value: undefined } as const
const LOW_ATTRIBUTES =
  TPMA_OBJECT.fixedTPM |
  TPMA_OBJECT.fixedParent |
  TPMA_OBJECT.sensitiveDataOrigin |
  TPMA_OBJECT.adminWithPolicy |
  TPMA_OBJECT.restricted |
  TPMA_OBJECT.decrypt

/** What the keys of a range and a strength have in common. */
interface Range {
  readonly common: Pick<PublicArea, 'nameAlg' | 'objectAttributes' | 'authPolicy'>
  readonly aesBits: number
}

const LOW: Range = {
  common: {
    nameAlg: SHA256,
    objectAttributes: LOW_ATTRIBUTES,
    authPolicy: fromHex(POLICY_A),
  },
  aesBits: 128,
}
const HIGH_384 = highRange(SHA384, POLICY_B_384)
const HIGH_512 = highRange(SHA512, POLICY_B_512)

function highRange(nameAlg: number, policy: string): Range {
  const objectAttributes = LOW_ATTRIBUTES | TPMA_OBJECT.userWithAuth
  return { common: { nameAlg, objectAttributes, authPolicy: fromHex(policy) }, aesBits: 256 }
}

/** In the high range the TPM is given no unique value. */
const NO_NUMBER = new Uint8Array()
const NO_POINT = { x: NO_NUMBER, y: NO_NUMBER }

/**
 * TPM2B_PUBLIC that a default endorsement key with this public key has: template L-1 for RSA-2048,
 * L-2 for ECC P-256 (TCG EK Credential Profile, B.3); undefined for a key that no default template fits.
 */
export function endorsementArea(key: KeyObject): Uint8Array | undefined {
  const area = rsaArea(key) ?? eccArea(key)
  return area === undefined
    ? undefined
    : encode(TPM2B_PUBLIC, { bytes: new Uint8Array(), contents: area })
}

/**
 * What TPM2_CreatePrimary makes the default endorsement key of, with the NV index that its certificate is at: templates
 * L-1 and L-2, and of the high range H-3, H-4, H-6 and H-7 (TCG EK Credential Profile, 2.2.1.4, B.3 and B.4).
 */
export const ENDORSEMENT_TEMPLATES = {
  rsa2048: { area: rsaTemplate(new Uint8Array(256)), certificateIndex: 0x01c00002 },
  ecc256: {
    area: eccTemplate({ x: new Uint8Array(32), y: new Uint8Array(32) }),
    certificateIndex: 0x01c0000a,
  },
  ecc384: { area: eccTemplate(NO_POINT, HIGH_384, 0x0004), certificateIndex: 0x01c00016 },
  ecc521: { area: eccTemplate(NO_POINT, HIGH_512, 0x0005), certificateIndex: 0x01c00018 },
  rsa3072: { area: rsaTemplate(NO_NUMBER, HIGH_384, 3072), certificateIndex: 0x01c0001c },
  rsa4096: { area: rsaTemplate(NO_NUMBER, HIGH_384, 4096), certificateIndex: 0x01c0001e },
} as const

function rsaArea(key: KeyObject): PublicArea | undefined {
  if (key.asymmetricKeyType !== 'rsa' || key.asymmetricKeyDetails?.modulusLength !== 2048)
    return undefined
  return rsaTemplate(jwkNumber(key, 'n'))
}

function rsaTemplate(
  modulus: Uint8Array,
  { common, aesBits }: Range = LOW,
  keyBits = 2048,
): PublicArea {
  return {
    ...common,
    type: 0x0001,
    parameters: {
      kind: 'rsa',
      value: { symmetric: aesCfb(aesBits), scheme: NONE, keyBits, exponent: 0 },
    },
    unique: { kind: 'rsa', value: modulus },
  }
}

function eccArea(key: KeyObject): PublicArea | undefined {
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return undefined
  return eccTemplate({ x: jwkNumber(key, 'x'), y: jwkNumber(key, 'y') })
}

function eccTemplate(
  point: { readonly x: Uint8Array; readonly y: Uint8Array },
  { common, aesBits }: Range = LOW,
  curveID = 0x0003,
): PublicArea {
  return {
    ...common,
    type: 0x0023,
    parameters: {
      kind: 'ecc',
      value: { symmetric: aesCfb(aesBits), scheme: NONE, curveID, kdf: NONE },
    },
    unique: { kind: 'ecc', value: point },
  }
}

function jwkNumber(key: KeyObject, member: 'n' | 'x' | 'y'): Uint8Array {
  return new Uint8Array(Buffer.from(key.export({ format: 'jwk' })[member] ?? '', 'base64url'))
}
