import type { KeyObject } from 'node:crypto'
import { fromHex } from '../bytes/hex.ts'
import { encode } from './codec.ts'
import { type PublicArea, TPM2B_PUBLIC, TPMA_OBJECT } from './public.ts'

/** PolicySecret(TPM_RH_ENDORSEMENT), the authPolicy of the low-range templates (TCG EK Credential Profile, B.3). */
const POLICY_A = '837197674484b3f81a90cc8d46a5d724fd52d76e06520b64f2a1da1b331469aa'

const SHA256 = 0x000b
const AES_128_CFB = { kind: 'aes', value: { keyBits: 128, mode: 0x0043 } } as const
const NONE = { kind: 'null', value: undefined } as const
const COMMON = {
  nameAlg: SHA256,
  objectAttributes:
    TPMA_OBJECT.fixedTPM |
    TPMA_OBJECT.fixedParent |
    TPMA_OBJECT.sensitiveDataOrigin |
    TPMA_OBJECT.adminWithPolicy |
    TPMA_OBJECT.restricted |
    TPMA_OBJECT.decrypt,
  authPolicy: fromHex(POLICY_A),
} as const

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
 * What TPM2_CreatePrimary makes the default endorsement key of, with the NV index that its certificate is at
 * (TCG EK Credential Profile, 2.2.1.4 and B.3).
 */
export const ENDORSEMENT_TEMPLATES = {
  rsa2048: { area: rsaTemplate(new Uint8Array(256)), certificateIndex: 0x01c00002 },
  ecc256: {
    area: eccTemplate({ x: new Uint8Array(32), y: new Uint8Array(32) }),
    certificateIndex: 0x01c0000a,
  },
} as const

function rsaArea(key: KeyObject): PublicArea | undefined {
  if (key.asymmetricKeyType !== 'rsa' || key.asymmetricKeyDetails?.modulusLength !== 2048)
    return undefined
  return rsaTemplate(jwkNumber(key, 'n'))
}

function rsaTemplate(modulus: Uint8Array): PublicArea {
  return {
    ...COMMON,
    type: 0x0001,
    parameters: {
      kind: 'rsa',
      value: { symmetric: AES_128_CFB, scheme: NONE, keyBits: 2048, exponent: 0 },
    },
    unique: { kind: 'rsa', value: modulus },
  }
}

function eccArea(key: KeyObject): PublicArea | undefined {
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return undefined
  return eccTemplate({ x: jwkNumber(key, 'x'), y: jwkNumber(key, 'y') })
}

function eccTemplate(point: { readonly x: Uint8Array; readonly y: Uint8Array }): PublicArea {
  return {
    ...COMMON,
    type: 0x0023,
    parameters: {
      kind: 'ecc',
      value: { symmetric: AES_128_CFB, scheme: NONE, curveID: 0x0003, kdf: NONE },
    },
    unique: { kind: 'ecc', value: point },
  }
}

function jwkNumber(key: KeyObject, member: 'n' | 'x' | 'y'): Uint8Array {
  return new Uint8Array(Buffer.from(key.export({ format: 'jwk' })[member] ?? '', 'base64url'))
}
