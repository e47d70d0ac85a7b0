export const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
export const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

type Unknown = 'other' | 'root-sent' | 'other-sent' | 'namesake'

/** Deviations of a certificate from an administrator's. */
export interface Recipe {
  /**
   * Issuer: the CA of the target; a CA below it that is not sent; a client of it that is no CA and is sent; an unknown CA;
   * one that is sent; a CA below an unknown one that is sent; an unknown CA with the target CA's name and key identifier;
   * or the certificate's own key.
   */
  readonly issuer?: 'trusted' | 'intermediate' | 'client-sent' | Unknown | 'itself'
  /** Extended key usages; an empty list leaves the extension out. Default clientAuth. */
  readonly usages?: readonly string[]
  /** Days from now at which it becomes valid, and at which it ends. */
  readonly days?: readonly [from: number, to: number]
  /** The default is an EC key on P-256. */
  readonly key?: 'rsa'
  /** Common name; an empty one is omitted. Default `client`, or the name of the scenario. */
  readonly commonName?: string
  /** IP addresses of a server certificate. */
  readonly addresses?: readonly string[]
}

/** Recipe of each kind; `undefined` for kinds with an existing certificate, or without one. */
export const RECIPES = {
  right: undefined,
  none: undefined,
  authority: undefined,
  second: { commonName: 'second administrator' },
  'rsa-key': { key: 'rsa' },
  'both-usages': { usages: [SERVER_AUTH, CLIENT_AUTH] },
  'agent-name': {},
  'no-name': { commonName: '' },
  'no-usage': { usages: [] },
  'server-only': { usages: [SERVER_AUTH] },
  'agent-server': { issuer: 'itself', usages: [SERVER_AUTH] },
  'agent-client': { issuer: 'itself' },
  'self-signed': { issuer: 'itself' },
  'other-authority': { issuer: 'other' },
  'namesake-authority': { issuer: 'namesake' },
  'other-authority-sent': { issuer: 'other-sent' },
  'other-root-sent': { issuer: 'root-sent' },
  'client-sent': { issuer: 'client-sent', commonName: 'below a client' },
  'usage-beginning-alike': { usages: ['1.3.6.1.5.5.7.3.21'] },
  'usage-below': { usages: [`${CLIENT_AUTH}.1`] },
  'usage-code-signing': { usages: ['1.3.6.1.5.5.7.3.3'] },
  'intermediate-missing': { issuer: 'intermediate' },
  expired: { days: [-30, -1] },
  'not-yet-valid': { days: [1, 30] },
} as const satisfies Readonly<Record<string, Recipe | undefined>>

export type CertificateKind = keyof typeof RECIPES

/** Kinds that an agent registers as its server certificate before it presents them as a client. */
export const AGENTS_OWN: ReadonlySet<CertificateKind> = new Set([
  'server-only',
  'agent-server',
  'agent-client',
])
