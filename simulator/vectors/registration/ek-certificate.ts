import { hash } from 'node:crypto'
import { derSignature, p256Spki, pointOf, signEcdsa } from '../../soft/ecdsa.ts'
import { scalarOf } from '../../soft/keys.ts'
import { cat, filled, fromHex, text, toHex } from '../../tpm/write.ts'
import {
  bits,
  boolean,
  der,
  integer,
  octets,
  oid,
  sequence,
  set,
  time,
  utf8,
} from '../../x509/der.ts'

/** Deviations of a certificate; all other fields are the same, and the signature is valid. */
export interface CertificateQuirk {
  /** The issuer's name is a SET in descending order. */
  readonly setOrder?: true
  /** The key is labelled RSAES-OAEP. */
  readonly rsaesOaep?: true
  /** BasicConstraints encodes FALSE, which is its default. */
  readonly encodedDefault?: true
  readonly ca?: true
  /** Extended key usage clientAuth in place of tcg-kp-EKCertificate. */
  readonly clientAuth?: true
}

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const EK_CERTIFICATE = oid('6781050801')
const CLIENT_AUTH = oid('2b06010505070302')
const RSA_ENCRYPTION = fromHex('06092a864886f70d010101')
/** Private scalar of the issuer, on P-256. */
export const ISSUER = scalarOf('issuer of the EK certificates of the vectors')

/** Returns a certificate (DER) of a SubjectPublicKeyInfo (DER) by an untrusted TPM manufacturer. */
export function ekCertificate(spki: Uint8Array, quirk: CertificateQuirk = {}): Uint8Array {
  const body = sequence(
    der(0xa0, integer(2n)),
    serialNumber(spki),
    ECDSA_SHA256,
    issuer(quirk),
    sequence(time('20260101000000Z'), time('20491231235959Z')),
    sequence(),
    quirk.rsaesOaep ? labelledOaep(spki) : spki,
    der(0xa3, extensions(quirk)),
  )
  return sequence(body, ECDSA_SHA256, bits(derSignature(signEcdsa(ISSUER, body))))
}

/** Returns the certificate (DER) of that manufacturer, for a registrar that should trust it. */
export function makerCertificate(): Uint8Array {
  const spki = p256Spki(pointOf(ISSUER))
  const body = sequence(
    der(0xa0, integer(2n)),
    serialNumber(spki),
    ECDSA_SHA256,
    issuer({}),
    sequence(time('20260101000000Z'), time('20491231235959Z')),
    issuer({}),
    spki,
    der(
      0xa3,
      sequence(
        extension('551d13', sequence(boolean(true))),
        extension('551d0f', bits(Uint8Array.of(0x04), 2)),
      ),
    ),
  )
  return sequence(body, ECDSA_SHA256, bits(derSignature(signEcdsa(ISSUER, body))))
}

function serialNumber(spki: Uint8Array): Uint8Array {
  return integer(
    BigInt(`0x01${toHex(new Uint8Array(hash('sha256', spki, 'buffer'))).slice(0, 30)}`),
  )
}

/** Country, organisation and common name in one SET, as one TPM vendor writes its issuers. */
function issuer({ setOrder }: CertificateQuirk): Uint8Array {
  const parts = [
    sequence(oid('550406'), der(0x13, text('XX'))),
    sequence(oid('55040a'), utf8('Vectors')),
    sequence(oid('550403'), utf8('Vector TPM EK CA')),
  ]
  return sequence(set(...(setOrder ? parts.reverse() : parts)))
}

function labelledOaep(spki: Uint8Array): Uint8Array {
  const at = Buffer.from(spki).indexOf(RSA_ENCRYPTION) + RSA_ENCRYPTION.length - 1
  const relabelled = Uint8Array.from(spki)
  relabelled[at] = 7
  return relabelled
}

function extensions({ ca, clientAuth, encodedDefault }: CertificateQuirk): Uint8Array {
  const constraints = ca ? boolean(true) : encodedDefault ? boolean(false) : filled(0)
  return sequence(
    extension('551d13', sequence(constraints)),
    extension('551d0f', bits(Uint8Array.of(0x20), 5)),
    sequence(oid('551d25'), octets(sequence(clientAuth ? CLIENT_AUTH : EK_CERTIFICATE))),
  )
}

function extension(id: string, value: Uint8Array): Uint8Array {
  return sequence(oid(id), boolean(true), octets(value))
}

/** Forms of a certificate as read from an NV index, or from a vendor's service. */
export const WRAPPINGS = {
  /** The header that TPM 1.2 tools left before it: TCPA tag, type, length and tag of a full certificate. */
  'nv-header': (certificate) =>
    cat(fromHex('100100'), lengthBytes(certificate.length + 2), fromHex('1002'), certificate),
  /** The index is larger than the certificate. */
  'trailing-zeros': (certificate) => cat(certificate, filled(2048 - certificate.length)),
  'trailing-json': (certificate) => cat(certificate, text('{"certificate":"next"}')),
} as const satisfies Readonly<Record<string, (certificate: Uint8Array) => Uint8Array>>

function lengthBytes(length: number): Uint8Array {
  return Uint8Array.of(length >> 8, length & 0xff)
}
