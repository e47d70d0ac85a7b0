import { type Algorithms, bitsOf, GENERIC_NAMES, signingOf } from '../../config/algorithms.ts'
import { curves } from '../../tpm/algorithms.ts'
import { type PublicArea, TPMA_OBJECT } from '../../tpm/public.ts'

const ATTRIBUTES =
  TPMA_OBJECT.fixedTPM |
  TPMA_OBJECT.fixedParent |
  TPMA_OBJECT.sensitiveDataOrigin |
  TPMA_OBJECT.userWithAuth |
  TPMA_OBJECT.restricted |
  TPMA_OBJECT.sign

const NONE = { kind: 'null', value: undefined } as const

/** The TPM2_Create template of an attestation key: restricted, so that it signs only structures that the TPM created. */
export function attestationTemplate(algorithms: Algorithms): PublicArea {
  const { hash } = signingOf(algorithms)
  const common = {
    nameAlg: hash.id,
    objectAttributes: ATTRIBUTES,
    authPolicy: new Uint8Array(),
  }
  const scheme = { kind: algorithms.signing, value: { hashAlg: hash.id } }
  const bits = bitsOf(algorithms.key)
  return GENERIC_NAMES[algorithms.key] === 'rsa'
    ? { ...common, ...rsa(scheme, bits) }
    : { ...common, ...ecc(scheme, bits) }
}

type Parameters = PublicArea['parameters']
type RsaScheme = Extract<Parameters, { kind: 'rsa' }>['value']['scheme']
type EccScheme = Extract<Parameters, { kind: 'ecc' }>['value']['scheme']
interface Scheme {
  readonly kind: string
  readonly value: { readonly hashAlg: number }
}

function rsa(scheme: Scheme, keyBits: number): Pick<PublicArea, 'type' | 'parameters' | 'unique'> {
  return {
    type: 0x0001,
    parameters: {
      kind: 'rsa',
      value: { symmetric: NONE, scheme: scheme as RsaScheme, keyBits, exponent: 0 },
    },
    unique: { kind: 'rsa', value: new Uint8Array() },
  }
}

function ecc(scheme: Scheme, bits: number): Pick<PublicArea, 'type' | 'parameters' | 'unique'> {
  const curveID = curves[`nist_p${bits}`]?.id ?? 0
  return {
    type: 0x0023,
    parameters: {
      kind: 'ecc',
      value: { symmetric: NONE, scheme: scheme as EccScheme, curveID, kdf: NONE },
    },
    unique: { kind: 'ecc', value: { x: new Uint8Array(), y: new Uint8Array() } },
  }
}
