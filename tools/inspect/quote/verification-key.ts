import { createPublicKey, type KeyObject } from 'node:crypto'
import { SetupFault } from '../../../conformance/input/fault.ts'
import { TPMA_OBJECT } from '../../../simulator/tpm/constants.ts'
import {
  keyObjectOf,
  nameOf,
  parseTpm2bPublic,
  type TPMT_PUBLIC,
} from '../../../simulator/tpm/public.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import type { Given } from '../read-given.ts'
import { algorithm } from '../show.ts'
import { isPlainText, readBlob } from '../text-forms.ts'

/** A public key that verifies a signature. */
export interface VerificationKey {
  readonly file: string
  readonly key: KeyObject
  /** Description of the key in one line. */
  readonly says: string
  /** Absent for PEM, which contains neither scheme nor attributes. */
  readonly area?: TPMT_PUBLIC
}

const SHOWN = [
  'fixedTPM',
  'fixedParent',
  'sensitiveDataOrigin',
  'restricted',
  'decrypt',
  'sign',
] as const

function describeKey(key: KeyObject): string {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  return key.asymmetricKeyType === 'rsa'
    ? `RSA, ${modulusLength} bits`
    : `${key.asymmetricKeyType} on ${namedCurve}`
}

function describeArea(area: TPMT_PUBLIC, tpm2b: Uint8Array): string {
  const set = SHOWN.filter((name) => (area.objectAttributes & TPMA_OBJECT[name]) !== 0)
  const { alg, hash } = area.scheme
  const scheme =
    hash === undefined ? 'no fixed scheme' : `${algorithm(alg)} with ${algorithm(hash)}`
  return `${scheme}; attributes ${set.join(', ') || 'none'}; name ${toHex(nameOf(tpm2b)).slice(0, 12)}…`
}

/**
 * Reads `--ak`: a public key or certificate in PEM, or a TPM2B_PUBLIC, raw, base64 or hexadecimal.
 * Throws a {@link SetupFault} for any other content.
 */
export function readVerificationKey({ file, bytes }: Given): VerificationKey {
  const text = isPlainText(bytes) ? new TextDecoder().decode(bytes) : ''
  try {
    if (text.includes('-----BEGIN')) {
      const key = createPublicKey(text)
      return { file, key, says: `${describeKey(key)}; attributes unknown, because it is PEM` }
    }
    const tpm2b = readBlob(bytes).bytes
    const area = parseTpm2bPublic(tpm2b)
    const key = keyObjectOf(area)
    return { file, key, area, says: `${describeKey(key)}; ${describeArea(area, tpm2b)}` }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SetupFault(`--ak ${file} contains no public key: ${why}`, {
      next: 'pass a TPM2B_PUBLIC (raw, base64 or hexadecimal) or PEM',
      cause,
    })
  }
}
