import { TPM_ALG, TPMA_OBJECT } from '../../tpm/constants.ts'
import type { RsaPublic } from '../../tpm/public.ts'
import { text } from '../../tpm/write.ts'
import { OTHER, RECORDED, RECORDED_EK_SPKI } from './baselines.ts'
import { type CertificateQuirk, ekCertificate, WRAPPINGS } from './ek-certificate.ts'
import { pemOf } from './makers.ts'
import { alterPublic, base64, type RegistrationVariant } from './registration.ts'

const CERTIFICATE = ekCertificate(RECORDED_EK_SPKI)

interface Quirky {
  readonly name: string
  readonly what: string
  readonly ekcert: string
  readonly code?: string
}

function quirk(name: string, what: string, change: CertificateQuirk): Quirky {
  return { name, what, ekcert: base64(ekCertificate(RECORDED_EK_SPKI, change)) }
}

function wrapped(name: keyof typeof WRAPPINGS, what: string, code?: string): Quirky {
  const ekcert = base64(WRAPPINGS[name](CERTIFICATE))
  return { name, what, ekcert, ...(code === undefined ? {} : { code }) }
}

function certificateVariant(number: number, quirky: Quirky): RegistrationVariant {
  const { name, what, ekcert, ...code } = quirky
  const common = { case: number, id: `e5-${number}-ekcert-${name}`, what, of: 'certified' } as const
  return { ...common, change: { ekcert }, outcome: 'either', ...code }
}

const NO_CERTIFICATE = 'is not a certificate'

/** Case 50: certificates in the encodings of TPM vendors, and as read from NV. */
const VENDOR_VARIANTS = [
  quirk('set-order', 'the issuer is a SET that is not in ascending order', { setOrder: true }),
  quirk('rsaes-oaep', 'the key is labelled RSAES-OAEP', { rsaesOaep: true }),
  quirk('encoded-default', 'basicConstraints spells out its default', { encodedDefault: true }),
  wrapped('nv-header', 'a header of 7 bytes precedes the certificate', NO_CERTIFICATE),
  wrapped('trailing-zeros', 'the certificate is filled up with zeros to 2048 bytes'),
  wrapped('trailing-json', 'JSON follows the certificate', 'bytes follow the certificate'),
].map((each) => certificateVariant(50, each))

/** Case 52: values that are not EK certificates. */
const FOREIGN_VARIANTS = [
  {
    name: 'pem-in-base64',
    what: 'the EK certificate is the base64 of a PEM text',
    ekcert: base64(text(pemOf(CERTIFICATE))),
    code: NO_CERTIFICATE,
  },
  { name: 'empty', what: 'the EK certificate is an empty text', ekcert: '' },
  {
    name: 'emulator',
    what: 'the EK certificate is the word emulator',
    ekcert: 'emulator',
    code: NO_CERTIFICATE,
  },
  quirk('ca', 'the EK certificate is one of an authority', { ca: true }),
  quirk('client-auth', 'the EK certificate is one of a TLS client', { clientAuth: true }),
].map((each) => certificateVariant(52, each))

/** Cases 50 to 52. Certificates of another TPM are also tested with machines. */
export const CERTIFICATE_VARIANTS: readonly RegistrationVariant[] = [
  ...VENDOR_VARIANTS,
  {
    case: 51,
    id: 'e5-51-ek-not-of-certificate',
    what: 'ek_tpm is another key than that of the EK certificate',
    of: 'rsa',
    change: { ek_tpm: base64(OTHER.ek) },
    outcome: 'refused',
    code: 'is not the key of the EK certificate',
  },
  areaVariant(
    'sha1',
    'the nameAlg of ek_tpm is SHA-1, whose digests are shorter than a challenge',
    { nameAlg: TPM_ALG.SHA1 },
    'too few for the challenge',
  ),
  areaVariant(
    'no-name-alg',
    'the nameAlg of ek_tpm is TPM_ALG_NULL',
    { nameAlg: TPM_ALG.NULL },
    'the nameAlg of the endorsement key',
  ),
  areaVariant(
    'signs',
    'ek_tpm is no decryption key',
    { objectAttributes: TPMA_OBJECT.restricted | TPMA_OBJECT.sign },
    'is not a restricted decryption key',
  ),
  areaVariant(
    'no-cipher',
    'ek_tpm protects its children with no cipher',
    { symmetric: { alg: TPM_ALG.NULL } },
    'with AES-CFB',
  ),
  ...FOREIGN_VARIANTS,
]

/** The key of the certificate, in another TPM2B_PUBLIC than its TPM has. */
function areaVariant(
  name: string,
  what: string,
  change: Partial<RsaPublic>,
  code: string,
): RegistrationVariant {
  const ek_tpm = alterPublic(RECORDED.ek, 'rsa', () => change)
  const common = { case: 51, of: 'rsa', outcome: 'either' } as const
  return { ...common, id: `e5-51-ek-${name}`, what, change: { ek_tpm }, code }
}
