import { createPublicKey, type KeyObject } from 'node:crypto'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { curves } from '../../tpm/algorithms.ts'
import { attempt, encode } from '../../tpm/codec.ts'
import { type PublicArea, TPM2B_PUBLIC, TPMA_OBJECT } from '../../tpm/public.ts'
import { type Signature, TPMT_SIGNATURE } from '../../tpm/signature.ts'
import { decodeText, inputFault, readBytes, type Wanted } from './read-input.ts'

const AK: Wanted = {
  option: '--ak',
  give: 'the TPM2B_PUBLIC of the key (raw or base64), or its public key in PEM',
}

/** The key as the endpoint wants it, and what cannot be said of a key in this form. */
interface GivenKey {
  /** base64 of a TPM2B_PUBLIC */
  readonly tpmAk: string
  readonly note?: string
}

const PEM_NOTE =
  '--ak is a PEM, which carries no key attributes: whether the key is restricted, and cannot leave its TPM, was not checked'

/** What is assumed of a key that came as PEM: an attestation key as TPMs make them. */
const AK_ATTRIBUTES =
  TPMA_OBJECT.fixedTPM |
  TPMA_OBJECT.fixedParent |
  TPMA_OBJECT.sensitiveDataOrigin |
  TPMA_OBJECT.userWithAuth |
  TPMA_OBJECT.restricted |
  TPMA_OBJECT.sign

const SHA256 = 0x000b
const NONE = { kind: 'null', value: undefined } as const
const NOTHING = new Uint8Array()

/**
 * Reads `--ak`: a TPM2B_PUBLIC, raw or in base64, or a public key or certificate in PEM.
 *
 * @param signature TPMT_SIGNATURE of the quote; a PEM names no scheme, so the signature's own is assumed
 * @throws {StartFault} when the file is none of these
 */
export function readAttestationKey(file: string, signature: Uint8Array): GivenKey {
  const bytes = readBytes(AK, file)
  const text = decodeText(bytes)?.trim()
  if (text === undefined) return { tpmAk: toBase64(bytes) }
  if (text.includes('-----BEGIN')) {
    const area = areaOf(readPem(file, text), attempt(TPMT_SIGNATURE, signature).value)
    if (area === undefined)
      throw inputFault(AK, file, 'it is neither an RSA key nor on a NIST curve')
    const tpm2b = encode(TPM2B_PUBLIC, { bytes: NOTHING, contents: area })
    return { tpmAk: toBase64(tpm2b), note: PEM_NOTE }
  }
  return { tpmAk: readBase64(file, text) }
}

function readPem(file: string, pem: string): KeyObject {
  try {
    return createPublicKey(pem)
  } catch (cause) {
    throw inputFault(AK, file, 'its PEM holds no public key', cause)
  }
}

function readBase64(file: string, text: string): string {
  try {
    const joined = text.replace(/\s+/g, '')
    if (fromBase64(joined).length > 0) return joined
  } catch {
    // Told below, as for an empty file.
  }
  throw inputFault(AK, file, 'it is neither PEM, nor base64, nor a TPM2B_PUBLIC')
}

function areaOf(key: KeyObject, signature: Signature | undefined): PublicArea | undefined {
  const common = { nameAlg: SHA256, objectAttributes: AK_ATTRIBUTES, authPolicy: NOTHING }
  const hashAlg = signature?.value.hash ?? SHA256
  if (key.asymmetricKeyType === 'rsa') return { ...common, ...rsaParts(key, signature, hashAlg) }
  const curve = Object.values(curves).find(
    ({ openssl }) => openssl === key.asymmetricKeyDetails?.namedCurve,
  )
  return curve && { ...common, ...eccParts(key, curve.id, hashAlg) }
}

function rsaParts(key: KeyObject, signature: Signature | undefined, hashAlg: number) {
  const { modulusLength: keyBits = 0, publicExponent = 65537n } = key.asymmetricKeyDetails ?? {}
  const kind = signature?.kind === 'rsapss' ? ('rsapss' as const) : ('rsassa' as const)
  const scheme = { kind, value: { hashAlg } }
  const exponent = Number(publicExponent)
  return {
    type: 0x0001,
    parameters: {
      kind: 'rsa' as const,
      value: { symmetric: NONE, scheme, keyBits, exponent: exponent === 65537 ? 0 : exponent },
    },
    unique: { kind: 'rsa' as const, value: coordinate(key, 'n') },
  }
}

function eccParts(key: KeyObject, curveID: number, hashAlg: number) {
  const scheme = { kind: 'ecdsa' as const, value: { hashAlg } }
  return {
    type: 0x0023,
    parameters: {
      kind: 'ecc' as const,
      value: { symmetric: NONE, scheme, curveID, kdf: NONE },
    },
    unique: {
      kind: 'ecc' as const,
      value: { x: coordinate(key, 'x'), y: coordinate(key, 'y') },
    },
  }
}

function coordinate(key: KeyObject, member: 'n' | 'x' | 'y'): Uint8Array {
  return new Uint8Array(Buffer.from(key.export({ format: 'jwk' })[member] ?? '', 'base64url'))
}
