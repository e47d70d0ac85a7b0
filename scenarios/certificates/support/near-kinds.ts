import type { CertificateKind } from '../../../simulator/x509/recipes.ts'

/** Certificates that no administrator has; each is sent once to each component, and not over every connection. */
export const nearKinds = [
  {
    kind: 'other-authority-sent',
    requirement: 'CRT-ADMIN-SIGNED',
    says: 'of a CA below an unknown one, which is sent too',
  },
  {
    kind: 'other-root-sent',
    requirement: 'CRT-ADMIN-SIGNED',
    says: 'of an unknown CA, which is sent too',
  },
  {
    kind: 'client-sent',
    requirement: 'CRT-ADMIN-SIGNED',
    says: 'that a client with a certificate of the CA issued, which is sent too',
  },
  {
    kind: 'usage-beginning-alike',
    requirement: 'CRT-ADMIN-CLIENT-AUTH',
    says: 'of the CA for 1.3.6.1.5.5.7.3.21, which begins like clientAuth',
  },
  {
    kind: 'usage-below',
    requirement: 'CRT-ADMIN-CLIENT-AUTH',
    says: 'of the CA for 1.3.6.1.5.5.7.3.2.1, which is below clientAuth',
  },
  {
    kind: 'usage-code-signing',
    requirement: 'CRT-ADMIN-CLIENT-AUTH',
    says: 'of the CA for code signing',
  },
] as const satisfies readonly {
  readonly kind: CertificateKind
  readonly requirement: string
  readonly says: string
}[]
