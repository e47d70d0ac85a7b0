import { createPrivateKey, sign } from 'node:crypto'
import { bytesOf } from '../soft/arithmetic.ts'
import { P256 } from '../soft/ecdsa.ts'
import { scalarOf } from '../soft/keys.ts'
import { newRsaPair } from '../soft/new-key-pair.ts'
import { TPM_ALG } from '../tpm/constants.ts'
import { type Bank, HASHES } from '../tpm/hash.ts'
import { writeSignature } from '../tpm/signature.ts'
import { eccAttester, rsaAttester, type SoftAttester } from './soft-attester.ts'

const NOTHING = new Uint8Array()

/**
 * Returns the P-256 key of {@link eccAttester} for the same label, with fast signatures: OpenSSL draws the
 * per-message number, so signatures of the same message differ.
 */
export function nativeAttester(label: string): SoftAttester {
  const { area, public: publicArea } = eccAttester(label)
  if (area.type !== 'ecc') throw new TypeError('a soft attester on P-256 must have an ECC key')
  const d = base64url(bytesOf(scalarOf(`${label} P-256`), P256.size))
  const [x, y] = [base64url(area.x), base64url(area.y)]
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d, x, y } })
  return {
    area,
    public: publicArea,
    sign(message, bank: Bank = 'sha256') {
      const pair = new Uint8Array(sign(bank, message, { key, dsaEncoding: 'ieee-p1363' }))
      return writeSignature({
        kind: 'ecc',
        sigAlg: TPM_ALG.ECDSA,
        hash: HASHES[bank].alg,
        r: pair.subarray(0, P256.size),
        s: pair.subarray(P256.size),
        leftover: NOTHING,
      })
    },
  }
}

/** Returns a new RSA-2048 key with RSASSA. It takes some 100 ms; one that is derived from a label takes longer. */
export function newRsaAttester(label: string): SoftAttester {
  return rsaAttester(label, TPM_ALG.RSASSA, newRsaPair(2048).privateKey)
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
