export const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
export const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** How one certificate differs from an administrator's; what is not said is as it should be. */
export interface Recipe {
  /**
   * Who signs: the CA of the target; a CA below it that is not shown; a stranger; a stranger with the CA's
   * name and key identifier; or the certificate's own key.
   */
  readonly issuer?: 'trusted' | 'intermediate' | 'other' | 'namesake' | 'itself'
  /** Extended key usages; an empty list leaves the extension out. Default clientAuth. */
  readonly usages?: readonly string[]
  /** Days from now at which it becomes valid, and at which it ends. */
  readonly days?: readonly [from: number, to: number]
  /** The default is an EC key on P-256. */
  readonly key?: 'rsa'
  /** Common name; none at all with an empty one. Default `client`, or what the scenario asks for. */
  readonly commonName?: string
  /** IP addresses for which it is a server's. */
  readonly addresses?: readonly string[]
}

/** What is to be made for each kind; `undefined` for those that are there already, or that are none. */
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
  'intermediate-missing': { issuer: 'intermediate' },
  expired: { days: [-30, -1] },
  'not-yet-valid': { days: [1, 30] },
} as const satisfies Readonly<Record<string, Recipe | undefined>>

export type CertificateKind = keyof typeof RECIPES

/** Kinds that an agent registers with as its server's certificate before it shows them as a client's. */
export const AGENTS_OWN: ReadonlySet<CertificateKind> = new Set([
  'server-only',
  'agent-server',
  'agent-client',
])
