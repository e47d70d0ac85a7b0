import type { KeyObject, X509Certificate } from 'node:crypto'
import { fromBase64, toBase64 } from '../bytes/base64.ts'
import { decode } from '../tpm/codec.ts'
import { endorsementArea } from '../tpm/endorsement-template.ts'
import { TPM2B_PUBLIC } from '../tpm/public.ts'
import { publicKeyOf } from '../tpm/public-key.ts'
import { parseKeyCertificate } from './key-certificate.ts'
import { readMember, refuse } from './refuse.ts'
import type { RegistrationRules } from './registration-rules.ts'
import type { RegistrationRequest } from './registration-shape.ts'

/** The endorsement key of a registration, in the registrar's own words. */
export interface EndorsementKey {
  /** TPM2B_PUBLIC */
  readonly area: Uint8Array
  readonly ek_tpm: string
  /** Undefined when none was submitted. */
  readonly certificate: X509Certificate | undefined
  /** base64 of it, or null */
  readonly ekcert: string | null
}

/**
 * Reads `ekcert` and `ek_tpm`. With a certificate the EK is that certificate's key (interface
 * document, "Registrar agent record"); a submitted `ek_tpm` must be the same key.
 */
export function loadEndorsementKey(
  request: Pick<RegistrationRequest, 'ekcert' | 'ek_tpm'>,
  rules: Pick<RegistrationRules, 'isCertified'>,
): EndorsementKey {
  const certificate = request.ekcert ? parseKeyCertificate(request.ekcert) : undefined
  const submitted = request.ek_tpm ? parseKey(request.ek_tpm) : undefined
  if (certificate === undefined && submitted === undefined) {
    throw refuse(
      'ekcert',
      'an EK certificate or an ek_tpm is needed: the challenge is encrypted to that key',
    )
  }
  if (
    certificate !== undefined &&
    submitted !== undefined &&
    !rules.isCertified(submitted.key, certificate.key)
  ) {
    throw refuse('ek_tpm', 'is not the key of the EK certificate')
  }
  const area = submitted?.area ?? templateArea(certificate?.key)
  return {
    area,
    ek_tpm: toBase64(area),
    certificate: certificate?.certificate,
    ekcert: certificate ? toBase64(certificate.certificate.raw) : null,
  }
}

function parseKey(text: string): { area: Uint8Array; key: KeyObject } {
  return readMember('ek_tpm', () => {
    const area = fromBase64(text, 'ek_tpm')
    return { area, key: publicKeyOf(decode(TPM2B_PUBLIC, area).contents) }
  })
}

function templateArea(key: KeyObject | undefined): Uint8Array {
  const area = key === undefined ? undefined : endorsementArea(key)
  if (area !== undefined) return area
  throw refuse('ekcert', 'its key has no default EK template here; send ek_tpm as well')
}
