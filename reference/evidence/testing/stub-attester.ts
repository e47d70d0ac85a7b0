import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { hashByName } from '../../tpm/algorithms.ts'
import {
  type Attest,
  TPM_GENERATED_VALUE,
  TPM_ST_ATTEST_QUOTE,
  TPMS_ATTEST,
} from '../../tpm/attest.ts'
import { encode } from '../../tpm/codec.ts'
import { type PublicArea, TPM2B_PUBLIC } from '../../tpm/public.ts'
import { TPMT_SIGNATURE } from '../../tpm/signature.ts'
import { bitmapOf } from '../../tpm/structures-common.ts'
import type { EvidenceCase } from '../evaluate.ts'
import type { ClaimedPcrs } from '../quote/claimed-pcrs.ts'
import { writePcrBlob } from '../quote/pcr-blob.ts'

export const NONCE = new TextEncoder().encode('sixteen bytes ok')

const SHA256 = 0x000b
const NOTHING = new Uint8Array()

/** A key outside any TPM, for signed structures that no TPM would make. */
export interface StubAttester {
  readonly tpm2bPublic: Uint8Array
  /** TPMS_ATTEST with some fields changed, signed as it is */
  attest(change?: Partial<Attest>): { readonly message: Uint8Array; readonly signature: Uint8Array }
  /** signs any bytes */
  sign(message: Uint8Array): Uint8Array
}

const CURVES = { 'P-256': 3, 'P-384': 4 } as const
type Curve = keyof typeof CURVES

function areaOf(key: KeyObject, curve: Curve): PublicArea {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const none = { kind: 'null', value: undefined } as const
  const scheme = { kind: 'ecdsa', value: { hashAlg: SHA256 } } as const
  return {
    type: 0x0023,
    nameAlg: SHA256,
    objectAttributes: 0x00050072,
    authPolicy: NOTHING,
    parameters: {
      kind: 'ecc',
      value: { symmetric: none, scheme, curveID: CURVES[curve], kdf: none },
    },
    unique: {
      kind: 'ecc',
      value: { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') },
    },
  }
}

export function makeStubAttester(curve: Curve = 'P-256'): StubAttester {
  // Node hangs if it exports a generated key as JWK while its job is collected as garbage; one that was read has no job.
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: curve,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const signBytes = (message: Uint8Array) => {
    const bytes = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const value = {
      hash: SHA256,
      signatureR: bytes.subarray(0, bytes.length / 2),
      signatureS: bytes.subarray(bytes.length / 2),
    }
    return encode(TPMT_SIGNATURE, { kind: 'ecdsa', value })
  }
  return {
    tpm2bPublic: encode(TPM2B_PUBLIC, {
      bytes: NOTHING,
      contents: areaOf(createPublicKey({ key: publicKey, format: 'der', type: 'spki' }), curve),
    }),
    sign: signBytes,
    attest: (change = {}) => {
      const message = encode(TPMS_ATTEST, { ...plainQuote(), ...change })
      return { message, signature: signBytes(message) }
    },
  }
}

/** Values of PCR 0 and 10 of the SHA-256 bank. */
export const CLAIMED: ClaimedPcrs = [
  {
    bank: 'sha256',
    values: new Map([
      [0, new Uint8Array(32).fill(1)],
      [10, new Uint8Array(32).fill(2)],
    ]),
  },
]

/** The quoted part of an attestation over these values. */
export function quoted(claimed: ClaimedPcrs): Attest['attested'] {
  const digest = createHash('sha256')
  for (const { values } of claimed) for (const value of values.values()) digest.update(value)
  const pcrSelect = claimed.map(({ bank, values }) => {
    return { hash: hashByName(bank)?.id ?? 0, pcrSelect: bitmapOf(values.keys()) }
  })
  return { kind: 'quote', value: { pcrSelect, pcrDigest: new Uint8Array(digest.digest()) } }
}

function plainQuote(): Attest {
  return {
    magic: TPM_GENERATED_VALUE,
    type: TPM_ST_ATTEST_QUOTE,
    qualifiedSigner: NOTHING,
    extraData: NONCE,
    clockInfo: { clock: 1000n, resetCount: 5, restartCount: 1, safe: true },
    firmwareVersion: 1n,
    attested: quoted(CLAIMED),
  }
}

/** A case that passes, with some parts changed. */
export function stubCase(
  attester: StubAttester,
  change: Partial<EvidenceCase> = {},
  attest: Partial<Attest> = {},
): EvidenceCase {
  return {
    attestationKey: attester.tpm2bPublic,
    nonce: NONCE,
    hashAlgorithm: 'sha256',
    acceptedHashes: ['sha256'],
    acceptedSchemes: ['ecdsa'],
    requestedPcrs: { bank: 'sha256', pcrs: [0, 10] },
    quote: {
      ...attester.attest(attest),
      claimed: { form: 'blob', bytes: writePcrBlob(CLAIMED) },
    },
    ...change,
  }
}
