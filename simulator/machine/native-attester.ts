import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { bytesOf } from '../soft/arithmetic.ts'
import { scalarOf } from '../soft/keys.ts'
import { TPM_ALG } from '../tpm/constants.ts'
import { HASHES } from '../tpm/hash.ts'
import { writeSignature } from '../tpm/signature.ts'
import { eccAttester, type SoftAttester } from './soft-attester.ts'

const NOTHING = new Uint8Array()
const NUMBER = 32

/**
 * Returns the P-256 key of {@link eccAttester} for the same label, with fast signatures: OpenSSL draws the
 * per-message number, so signatures of the same message differ.
 */
export function nativeAttester(label: string): SoftAttester {
  const { area, public: publicArea } = eccAttester(label)
  const key = keyOf(label, area)
  return {
    area,
    public: publicArea,
    sign(message, bank = 'sha256') {
      const pair = new Uint8Array(sign(bank, message, { key, dsaEncoding: 'ieee-p1363' }))
      return writeSignature({
        kind: 'ecc',
        sigAlg: TPM_ALG.ECDSA,
        hash: HASHES[bank].alg,
        r: pair.subarray(0, NUMBER),
        s: pair.subarray(NUMBER),
        leftover: NOTHING,
      })
    },
  }
}

function keyOf(label: string, area: SoftAttester['area']): KeyObject {
  if (area.type !== 'ecc') throw new TypeError('a soft attester on P-256 must have an ECC key')
  const d = base64url(bytesOf(scalarOf(`${label} P-256`), NUMBER))
  const [x, y] = [base64url(area.x), base64url(area.y)]
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d, x, y } })
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
