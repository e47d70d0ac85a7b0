import { fromHex, text, toHex } from '../../../simulator/tpm/write.ts'
import { RECORDED_EK_SPKI } from '../../../simulator/vectors/registration/baselines.ts'
import { ekCertificate, WRAPPINGS } from '../../../simulator/vectors/registration/ek-certificate.ts'
import { base64, bootBytes } from '../test-support.ts'

const plain = ekCertificate(RECORDED_EK_SPKI)
const pem = `-----BEGIN CERTIFICATE-----\n${base64(plain)}\n-----END CERTIFICATE-----\n`
const spelt = (bytes: Uint8Array) =>
  fromHex(toHex(bytes).replace('0603551d130101ff', '0603551d13010100'))
/** Replaces the algorithm identifier only; the signature is unchanged. */
const sha1 = (bytes: Uint8Array) =>
  fromHex(toHex(bytes).replaceAll('06092a864886f70d01010b', '06092a864886f70d010105'))

/** Warning id, a certificate with the warning, and the same certificate without it. */
export const EKCERT_TWINS: readonly (readonly [
  id: string,
  kind: 'ekcert',
  odd: Uint8Array,
  right: Uint8Array,
])[] = [
  ['nv-header', 'ekcert', WRAPPINGS['nv-header'](plain), plain],
  ['nv-padding', 'ekcert', WRAPPINGS['trailing-zeros'](plain), plain],
  ['trailing-bytes', 'ekcert', WRAPPINGS['trailing-json'](plain), plain],
  ['oaep-label', 'ekcert', ekCertificate(RECORDED_EK_SPKI, { rsaesOaep: true }), plain],
  ['set-order', 'ekcert', ekCertificate(RECORDED_EK_SPKI, { setOrder: true }), plain],
  ['default-spelt-out', 'ekcert', spelt(plain), plain],
  ['authority-certificate', 'ekcert', ekCertificate(RECORDED_EK_SPKI, { ca: true }), plain],
  ['no-ek-usage', 'ekcert', ekCertificate(RECORDED_EK_SPKI, { clientAuth: true }), plain],
  ['further-certificates', 'ekcert', text(pem + pem), text(pem)],
  [
    'weak-certificate',
    'ekcert',
    sha1(bootBytes('ekcert_1c00002.der')),
    bootBytes('ekcert_1c00002.der'),
  ],
]
