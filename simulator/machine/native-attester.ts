import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { bytesOf } from '../soft/arithmetic.ts'
import { scalarOf } from '../soft/keys.ts'
import { TPM_ALG, TPM_ECC } from '../tpm/constants.ts'
import { type Bank, HASHES } from '../tpm/hash.ts'
import type { TPMT_PUBLIC } from '../tpm/public.ts'
import { writeSignature } from '../tpm/signature.ts'
import { eccAttester, type SoftAttester, tpm2bPublic } from './soft-attester.ts'

const NOTHING = new Uint8Array()

/** Names and sizes of the curves beyond P-256, with the hash of their security strength. */
const CURVES = {
  'P-384': { openssl: 'secp384r1', size: 48, id: TPM_ECC.NIST_P384, hash: 'sha384' },
  'P-521': { openssl: 'secp521r1', size: 66, id: TPM_ECC.NIST_P521, hash: 'sha512' },
} as const

/**
 * Returns the P-256 key of {@link eccAttester} for the same label, with fast signatures: OpenSSL draws the
 * per-message number, so signatures of the same message differ.
 */
export function nativeAttester(label: string): SoftAttester {
  const { area } = eccAttester(label)
  if (area.type !== 'ecc') throw new TypeError('a soft attester on P-256 must have an ECC key')
  const d = bytesOf(scalarOf(`${label} P-256`), 32)
  return attesterOf(area, { crv: 'P-256', d, size: 32 })
}

/** As {@link nativeAttester}, on another curve. Its private key has 256 bits: enough for tests. */
export function curveAttester(label: string, crv: keyof typeof CURVES): SoftAttester {
  const { openssl, size, id: curve, hash } = CURVES[crv]
  const { area } = eccAttester(label)
  const d = bytesOf(scalarOf(`${label} ${crv}`), size)
  const point = createECDH(openssl)
  point.setPrivateKey(d)
  const [x, y] = [1, 1 + size].map((from) => point.getPublicKey().subarray(from, from + size))
  if (area.type !== 'ecc' || x === undefined || y === undefined)
    throw new TypeError('a soft attester must have an ECC key')
  const scheme = { alg: TPM_ALG.ECDSA, hash: HASHES[hash].alg }
  return attesterOf({ ...area, scheme, curve, x, y }, { crv, d, size })
}

interface Private {
  readonly crv: string
  readonly d: Uint8Array
  /** Bytes of a coordinate. */
  readonly size: number
}

function attesterOf(area: Extract<TPMT_PUBLIC, { type: 'ecc' }>, own: Private): SoftAttester {
  const key = keyOf(area, own)
  const { size } = own
  return {
    area,
    public: tpm2bPublic(area),
    sign(message, bank: Bank = 'sha256') {
      const pair = new Uint8Array(sign(bank, message, { key, dsaEncoding: 'ieee-p1363' }))
      return writeSignature({
        kind: 'ecc',
        sigAlg: TPM_ALG.ECDSA,
        hash: HASHES[bank].alg,
        r: pair.subarray(0, size),
        s: pair.subarray(size),
        leftover: NOTHING,
      })
    },
  }
}

function keyOf(area: Extract<TPMT_PUBLIC, { type: 'ecc' }>, { crv, d }: Private): KeyObject {
  const [x, y] = [base64url(area.x), base64url(area.y)]
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv, d: base64url(d), x, y } })
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
