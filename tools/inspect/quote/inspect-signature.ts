import { TPM_ALG } from '../../../simulator/tpm/constants.ts'
import { bankOf } from '../../../simulator/tpm/hash.ts'
import { parseSignature, type TPMT_SIGNATURE } from '../../../simulator/tpm/signature.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import type { Blob } from '../blob.ts'
import type { Field } from '../inspection.ts'
import { type Meaning, type Meanings, readFields, type Structure } from '../read-fields.ts'
import { algorithm, bytes, number } from '../show.ts'
import type { WarningId, Warnings } from '../warnings.ts'

const SIZE: Meaning = { means: 'length of the next field', show: (raw) => bytes(number(raw)) }
const start = (raw: Uint8Array): string =>
  raw.length === 0 ? 'empty' : `${toHex(raw.subarray(0, 4))}…`
const named = (raw: Uint8Array): string => algorithm(Number(number(raw)))

/** TPMT_SIGNATURE (Part 2, 11.3.4). */
const SIGNATURE_MEANINGS: Meanings = {
  sigAlg: { means: 'signature scheme', show: named },
  hash: { means: 'hash algorithm of the signature', show: named },
  'sig.size': SIZE,
  sig: { means: 'the RSA signature, one large number', show: start },
  'signatureR.size': SIZE,
  signatureR: { means: 'first half of the signature (r)', show: start },
  'signatureS.size': SIZE,
  signatureS: { means: 'second half of the signature (s)', show: start },
  bytes: { means: 'not decoded: the scheme is unknown', show: (raw) => bytes(raw.length) },
  leftover: { means: 'bytes after the end of the structure', show: (raw) => bytes(raw.length) },
}

export const SIGNATURE_PART = 'TPMT_SIGNATURE'
export const SIGNATURE_ABOUT = 'the signature over the attestation structure'

const VERIFIABLE: readonly number[] = [TPM_ALG.RSASSA, TPM_ALG.RSAPSS, TPM_ALG.ECDSA]
const RSA_SIZES: readonly number[] = [128, 256, 384, 512]
const LARGEST_HALF = 66

/** Decodes a TPMT_SIGNATURE up to the first error, and collects warnings. */
export function readSignaturePart({ bytes }: Blob, warnings: Warnings): Structure<TPMT_SIGNATURE> {
  const read = readFields(SIGNATURE_PART, bytes, SIGNATURE_MEANINGS, parseSignature)
  if (read.value !== undefined) warnOfSignature(read.value, read.fields, warnings)
  return read
}

/** Whether this tool can verify the scheme. */
export function isVerifiable({ sigAlg }: TPMT_SIGNATURE): boolean {
  return VERIFIABLE.includes(sigAlg)
}

/** `RSASSA (RSA, PKCS#1 v1.5) with sha256`. */
export function signatureFact(signature: TPMT_SIGNATURE): string {
  const scheme = algorithm(signature.sigAlg)
  return signature.kind === 'opaque' ? scheme : `${scheme} with ${algorithm(signature.hash)}`
}

function warnOfSignature(
  signature: TPMT_SIGNATURE,
  fields: readonly Field[],
  warnings: Warnings,
): void {
  const warn = (id: WarningId, path: string, says: string) => {
    const offset = fields.find((field) => field.path === path)?.offset ?? 0
    warnings.add(id, { part: SIGNATURE_PART, offset, path, says })
  }
  if (!isVerifiable(signature)) {
    warn('unknown-signature', 'sigAlg', algorithm(signature.sigAlg))
  }
  if (signature.kind === 'opaque') return
  const bank = bankOf(signature.hash)
  if (bank === undefined) warn('unknown-hash', 'hash', algorithm(signature.hash))
  if (bank === 'sha1') warn('weak-hash', 'hash', 'sha1')
  warnOfSizes(signature, warn)
  if (signature.leftover.length > 0) {
    warn('trailing-bytes', 'leftover', `${signature.leftover.length} bytes`)
  }
}

function warnOfSizes(
  signature: Exclude<TPMT_SIGNATURE, { kind: 'opaque' }>,
  warn: (id: WarningId, path: string, says: string) => void,
): void {
  if (signature.kind === 'rsa') {
    const { length } = signature.sig
    if (!RSA_SIZES.includes(length)) warn('odd-signature-size', 'sig', `${length} bytes`)
    return
  }
  for (const [path, half] of [
    ['signatureR', signature.r],
    ['signatureS', signature.s],
  ] as const) {
    const odd = half.every((byte) => byte === 0) || half.length > LARGEST_HALF
    if (odd) warn('odd-signature-size', path, `${half.length} bytes`)
  }
}
