import type { CertificateDefect } from '../../../conformance/client/agents/ek-certificates.ts'

/** A certificate for a TPM's own key that is for something else, or that whoever signed it may not give. */
export interface EkCertificateCell {
  readonly defect: CertificateDefect
  readonly requirement: 'REG-EKCERT-PROFILE' | 'REG-EKCERT-PATH'
  readonly says: string
}

/** The cells of the matrix `ek-certificates`, in the order in which they are asked. */
export const ekCertificateCells: readonly EkCertificateCell[] = [
  profile('authority', 'that is one of an authority'),
  profile('signs-certificates', 'whose key may sign certificates'),
  profile('signs-only', 'whose key may sign and not decrypt'),
  profile('other-use', 'for TLS clients'),
  profile('unknown-critical', 'with a critical extension that nobody knows'),
  profile('sha1', 'that is signed over SHA-1'),
  profile('two-makers', 'that names two makers'),
  path('path-too-long', 'by an authority below one that allows none below itself'),
  path('name-not-permitted', 'by an authority that may name the TPMs of others only'),
  path('no-authority', 'by a certificate that is not one of an authority'),
]

function profile(defect: CertificateDefect, says: string): EkCertificateCell {
  return { defect, requirement: 'REG-EKCERT-PROFILE', says }
}

function path(defect: CertificateDefect, says: string): EkCertificateCell {
  return { defect, requirement: 'REG-EKCERT-PATH', says }
}
