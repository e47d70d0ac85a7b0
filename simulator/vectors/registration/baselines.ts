import { pointOf } from '../../soft/ecdsa.ts'
import { scalarOf } from '../../soft/keys.ts'
import { EK_RSA2048 } from '../../swtpm/templates.ts'
import { TPM_ALG, TPM_ECC, TPMA_OBJECT } from '../../tpm/constants.ts'
import { type EccPublic, parseTpm2bPublic, spkiOf, writePublic } from '../../tpm/public.ts'
import { filled, tpm2b } from '../../tpm/write.ts'
import { fixture } from '../fixtures.ts'
import { ekCertificate } from './ek-certificate.ts'
import { base64, type Registration } from './registration.ts'

/** TPM2B_PUBLIC of the keys of the recorded boot, and its EK certificate (DER). */
export const RECORDED = {
  ek: fixture('ek_rsa.tpm2b_public'),
  ekcert: fixture('ekcert_1c00002.der'),
  akRsa: fixture('ak_rsa.tpm2b_public'),
  akEcc: fixture('ak_ecc256.tpm2b_public'),
} as const

/** SubjectPublicKeyInfo (DER) of the recorded EK. */
export const RECORDED_EK_SPKI = spkiOf(parseTpm2bPublic(RECORDED.ek))

type Point = ReturnType<typeof pointOf>

/** Returns a public key outside any TPM, derived from a label. */
function pointFor(label: string): Point {
  return pointOf(scalarOf(label))
}

const NO_KDF = { kdf: { alg: TPM_ALG.NULL }, curve: TPM_ECC.NIST_P256 }

/** Returns the TPM2B_PUBLIC of an attestation key on P-256, with the usual attributes of agents. */
function attestationKey({ x, y }: Point): Uint8Array {
  const key: EccPublic = {
    type: 'ecc',
    nameAlg: TPM_ALG.SHA256,
    objectAttributes:
      TPMA_OBJECT.fixedTPM |
      TPMA_OBJECT.fixedParent |
      TPMA_OBJECT.sensitiveDataOrigin |
      TPMA_OBJECT.userWithAuth |
      TPMA_OBJECT.restricted |
      TPMA_OBJECT.sign,
    authPolicy: filled(0),
    symmetric: { alg: TPM_ALG.NULL },
    scheme: { alg: TPM_ALG.ECDSA, hash: TPM_ALG.SHA256 },
    ...NO_KDF,
    x,
    y,
  }
  return tpm2b(writePublic(key))
}

/** Template L-2 of the TCG EK Credential Profile (B.3.4) with a point on P-256. */
function endorsementKey({ x, y }: Point): EccPublic {
  const { nameAlg, objectAttributes, authPolicy, symmetric, scheme } = EK_RSA2048
  const common = { nameAlg, objectAttributes, authPolicy, symmetric, scheme }
  return { type: 'ecc', ...common, ...NO_KDF, x, y }
}

/** Returns the first key of a series whose x begins with a zero byte, as one in 256 does. */
function keyWithLeadingZero(): Point {
  for (let row = 0; ; row++) {
    const key = pointFor(`an attestation key with a leading zero ${row}`)
    if (key.x[0] === 0) return key
  }
}

export const LEADING_ZERO = attestationKey(keyWithLeadingZero())

/** Keys of another machine than the recorded one. */
const otherEk = endorsementKey(pointFor('the endorsement key of another machine'))
export const OTHER = {
  ek: tpm2b(writePublic(otherEk)),
  ekcert: ekCertificate(spkiOf(otherEk)),
  ak: attestationKey(pointFor('the attestation key of another machine')),
} as const

const CONTACT = { mtls_cert: 'disabled', ip: '192.0.2.1', port: '9002' }
const RECORDED_EK = { ek_tpm: base64(RECORDED.ek), ekcert: base64(RECORDED.ekcert) }
const CERTIFIED_ANEW = {
  ek_tpm: base64(RECORDED.ek),
  ekcert: base64(ekCertificate(RECORDED_EK_SPKI)),
}

/** The valid registrations. */
export const BASELINES: Readonly<Record<string, Registration>> = {
  /** the recorded TPM with an RSA attestation key */
  rsa: { ...RECORDED_EK, aik_tpm: base64(RECORDED.akRsa), ...CONTACT },
  /** the recorded TPM with an attestation key on P-256 */
  ecc: { ...RECORDED_EK, aik_tpm: base64(RECORDED.akEcc), ...CONTACT },
  'leading-zero': { ...RECORDED_EK, aik_tpm: base64(LEADING_ZERO), ...CONTACT },
  /** the recorded TPM with a certificate that the generator can write in other forms */
  certified: { ...CERTIFIED_ANEW, aik_tpm: base64(RECORDED.akRsa), ...CONTACT },
  /** another TPM, whose EK is on P-256 */
  other: {
    ek_tpm: base64(OTHER.ek),
    ekcert: base64(OTHER.ekcert),
    aik_tpm: base64(OTHER.ak),
    ...CONTACT,
  },
}
