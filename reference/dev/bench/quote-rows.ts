import { type KeyObject, verify } from 'node:crypto'
import { evaluateQuote } from '../../evidence/quote/quote.ts'
import { recordedCase } from '../../evidence/testing/recorded-case.ts'
import { decode } from '../../tpm/codec.ts'
import { TPM2B_PUBLIC } from '../../tpm/public.ts'
import { publicKeyOf } from '../../tpm/public-key.ts'
import { type Signature, TPMT_SIGNATURE } from '../../tpm/signature.ts'
import { costs, type Row } from './measure.ts'

const LIMIT = 2

function bareSignature(signature: Signature): Uint8Array {
  if (signature.kind === 'rsassa') return signature.value.sig
  if (signature.kind !== 'ecdsa') throw new Error(`no bare form of ${signature.kind}`)
  return Buffer.concat([signature.value.signatureR, signature.value.signatureS])
}

function quoteRow(file: string, key: string): Row {
  const evidence = recordedCase({}, { file, key, hash: 'sha256', bank: 'sha256', pcrs: [10] })
  const { message, signature } = evidence.quote
  const kept = publicKeyOf(decode(TPM2B_PUBLIC, evidence.attestationKey).contents)
  const bare = bareSignature(decode(TPMT_SIGNATURE, signature))
  if (evaluateQuote(evidence).findings.length > 0 || !verifies(kept, message, bare))
    throw new Error(`${file} must pass, as only then the whole of the work is measured`)
  return {
    subject: `quote, ${file}`,
    unit: 'quote',
    floor: 'crypto.verify with the key at hand',
    ...costs(
      () => evaluateQuote(evidence),
      () => verifies(kept, message, bare),
    ),
    limit: LIMIT,
  }
}

function verifies(key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** A quote, from its bytes to the verdict, under a key of each type. */
export function quoteRows(): readonly Row[] {
  return [quoteRow('rsassa_sha256_10', 'ak_rsa'), quoteRow('ecdsa256_sha256_10_16', 'ak_ecc256')]
}
