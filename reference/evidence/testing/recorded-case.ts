import { RECORDED_NONCE, recorded } from '../../tpm/testing/recorded-boot.ts'
import type { EvidenceCase } from '../evaluate.ts'

/** A quote of the recorded boot: file, key, hash of the signature, bank, PCRs. */
export interface RecordedQuote {
  readonly file: string
  readonly key: string
  readonly hash: string
  readonly bank: string
  readonly pcrs: readonly number[]
}

export const RECORDED_QUOTES: readonly RecordedQuote[] = [
  { file: 'rsassa_sha256_all', key: 'ak_rsa', hash: 'sha256', bank: 'sha256', pcrs: [0, 10, 23] },
  { file: 'rsassa_sha256_10', key: 'ak_rsa', hash: 'sha256', bank: 'sha256', pcrs: [10] },
  { file: 'rsassa_sha1_10', key: 'ak_rsa', hash: 'sha256', bank: 'sha1', pcrs: [10] },
  { file: 'rsassa_sha384_mb', key: 'ak_rsa', hash: 'sha256', bank: 'sha384', pcrs: [0, 7] },
  { file: 'rsassa_sha512_mb', key: 'ak_rsa', hash: 'sha256', bank: 'sha512', pcrs: [0, 7, 10] },
  { file: 'rsassa_multibank', key: 'ak_rsa', hash: 'sha256', bank: 'sha384', pcrs: [0, 7, 10] },
  { file: 'rsapss_sha256_10_16', key: 'ak_rsapss', hash: 'sha256', bank: 'sha256', pcrs: [10, 16] },
  { file: 'ecdsa256_sha256_10_16', key: 'ak_ecc256', hash: 'sha256', bank: 'sha256', pcrs: [10] },
  { file: 'ecdsa384_sha384_10', key: 'ak_ecc384', hash: 'sha384', bank: 'sha384', pcrs: [10] },
]

const ALL: RecordedQuote = {
  file: 'rsassa_sha256_all',
  key: 'ak_rsa',
  hash: 'sha256',
  bank: 'sha256',
  pcrs: [0, 10, 23],
}

/** The case of one recorded quote, by default all 24 PCRs of the SHA-256 bank, with the given changes. */
export function recordedCase(
  change: Partial<EvidenceCase> = {},
  { file, key, hash, bank, pcrs }: RecordedQuote = ALL,
): EvidenceCase {
  return {
    attestationKey: recorded(`${key}.tpm2b_public`),
    nonce: RECORDED_NONCE,
    hashAlgorithm: hash,
    acceptedHashes: ['sha256', 'sha384'],
    acceptedSchemes: ['rsassa', 'rsapss', 'ecdsa'],
    requestedPcrs: { bank, pcrs },
    quote: {
      message: recorded(`${file}.attest`),
      signature: recorded(`${file}.sig`),
      claimed: { form: 'blob', bytes: recorded(`${file}.pcrs`) },
    },
    ...change,
  }
}
