import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { unbase64 } from '../../../conformance/client/bytes.ts'
import {
  CertificateFault,
  readCertificate,
  signedPartsOf,
} from '../../../simulator/x509/read-certificate.ts'
import type { Members } from '../stages.ts'
import type { Contradiction } from './contradiction.ts'

/** What the judge knows beside the certificate. */
export interface KnownMaker {
  /** Modulus of the EK that the challenge was opened with. */
  readonly modulus: Uint8Array
  /** Trusted makers; undefined if the deployment does not claim to check them. */
  readonly makers: readonly KeyObject[] | undefined
  /** Milliseconds since 1970. */
  readonly today: number
}

/** What was shown: its bytes, and the certificate that OpenSSL finds in them. */
interface Shown {
  readonly bytes: Uint8Array
  readonly certificate: X509Certificate | undefined
}

const DAY_MS = 86_400_000
/** Of the header that tools of TPM 1.2 have left before certificates. */
const HEADER = 7

function certificateIn(bytes: Uint8Array): X509Certificate | undefined {
  for (const from of [0, HEADER]) {
    try {
      return new X509Certificate(bytes.subarray(from))
    } catch {
      // It may begin later; and what cannot be read anywhere says so by that.
    }
  }
  return undefined
}

/** Whether a reader that asks for nothing but tags and lengths finds a certificate. */
function isStructured(bytes: Uint8Array): boolean {
  return [0, HEADER].some((from) => {
    try {
      readCertificate(bytes.subarray(from), 0, () => undefined)
      return true
    } catch (error) {
      if (error instanceof CertificateFault) return false
      throw error
    }
  })
}

/** The maker's signature over the body, whatever the certificate says of its algorithm. */
function signs(maker: KeyObject, { raw }: X509Certificate): boolean {
  let signature = new Uint8Array()
  readCertificate(raw, 0, ({ path, offset, length }) => {
    // The first byte of a BIT STRING counts the bits that are none.
    if (path === 'signatureValue')
      signature = new Uint8Array(raw.subarray(offset + 1, offset + length))
  })
  return verify('sha256', signedPartsOf(raw).body, maker, signature)
}

function isSignedBy(maker: KeyObject, certificate: X509Certificate): boolean {
  try {
    return certificate.verify(maker) || signs(maker, certificate)
  } catch {
    return false
  }
}

/** A time that cannot be read is no claim. A day's difference between clocks is none either. */
function isOutOfTime({ validFrom, validTo }: X509Certificate, today: number): boolean {
  return Date.parse(validFrom) > today + DAY_MS || Date.parse(validTo) < today - DAY_MS
}

interface EkCertificateRow {
  readonly contradiction: Contradiction
  readonly holds: (shown: Shown, known: KnownMaker) => boolean
}

/** Of these all but the last are a registrar's business only where it claims to judge who made a TPM. */
const ROWS: readonly EkCertificateRow[] = [
  {
    contradiction: { id: 'ekcert-form', says: 'shows an EK certificate that is none' },
    holds: ({ bytes, certificate }, { makers }) =>
      makers !== undefined && certificate === undefined && !isStructured(bytes),
  },
  {
    contradiction: {
      id: 'ekcert-maker',
      says: 'shows an EK certificate that no known maker signed',
    },
    holds: ({ certificate }, { makers }) =>
      certificate !== undefined && makers?.some((one) => isSignedBy(one, certificate)) === false,
  },
  {
    contradiction: { id: 'ekcert-time', says: 'shows an EK certificate of another time' },
    holds: ({ certificate }, { makers, today }) =>
      makers !== undefined && certificate !== undefined && isOutOfTime(certificate, today),
  },
  {
    contradiction: { id: 'ekcert-key', says: 'shows the EK certificate of another TPM' },
    holds: ({ certificate }, { modulus }) => certificate?.raw.indexOf(modulus) === -1,
  },
]

/**
 * What a registration says of who made its TPM and must not, when the challenge that it was answered with opens. What a
 * registrar makes of no certificate at all has two readings (ambiguity EKNOCERT), and so have profile and path.
 */
export function contradictionsOfEkCertificate(
  { ekcert }: Members,
  known: KnownMaker,
): readonly Contradiction[] {
  if (typeof ekcert !== 'string' || ekcert === '') return []
  const bytes = ekcert.startsWith('-----') ? new Uint8Array(Buffer.from(ekcert)) : unbase64(ekcert)
  const shown = { bytes, certificate: certificateIn(bytes) }
  return ROWS.filter(({ holds }) => holds(shown, known)).map(({ contradiction }) => contradiction)
}
