import { MAKER } from '../../sev-snp/snp-evidence.ts'
import { fixture } from '../fixtures.ts'
import { makerCertificate } from './ek-certificate.ts'

const RECORDED = ['swtpm-localca-rootca-cert.pem', 'swtpm-localca-issuercert.pem']

/**
 * Returns the CA certificates of the TPM manufacturers in the registrations of this section, for registrars that
 * verify EK certificates.
 */
export function makersPem(): string {
  const recorded = RECORDED.map((name) => onlyCertificate(Buffer.from(fixture(name)).toString()))
  return [...recorded, pemOf(makerCertificate())].join('')
}

/** Returns ASK and ARK of the simulator's processors, for verifiers of their reports. */
export function processorMakerPem(): string {
  return MAKER.certificates.map(pemOf).join('')
}

/** Removes the text that the tools of the recorded boot write before a certificate. */
function onlyCertificate(text: string): string {
  return `${text.slice(text.indexOf('-----BEGIN')).trimEnd()}\n`
}

export function pemOf(certificate: Uint8Array): string {
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
