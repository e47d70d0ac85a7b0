import type { CertificateDefect } from '../../../conformance/client/agents/ek-certificates.ts'

/** An EK certificate for another purpose, or one that its issuer may not issue. */
interface EkCertificateCell {
  readonly defect: CertificateDefect
  readonly requirement: 'REG-EKCERT-PROFILE' | 'REG-EKCERT-PATH'
  readonly says: string
}

/** The cells of the matrix `ek-certificates`, in the order of the requests. */
export const ekCertificateCells: readonly EkCertificateCell[] = [
  profile('authority', 'that is a CA certificate'),
  profile('signs-certificates', 'whose key may sign certificates'),
  profile('signs-only', 'whose key may sign and not decrypt'),
  profile('other-use', 'for TLS clients'),
  profile('unknown-critical', 'with an unknown critical extension'),
  profile('sha1', 'that is signed over SHA-1'),
  profile('two-makers', 'that names two makers'),
  path('path-too-long', 'of an issuer whose own issuer has a path length of 0'),
  path('name-not-permitted', 'of an issuer with a name constraint for other TPMs'),
  path('no-authority', 'of an issuer that is not a CA'),
]

function profile(defect: CertificateDefect, says: string): EkCertificateCell {
  return { defect, requirement: 'REG-EKCERT-PROFILE', says }
}

function path(defect: CertificateDefect, says: string): EkCertificateCell {
  return { defect, requirement: 'REG-EKCERT-PATH', says }
}
