/** The identity of a client after the interface document's identity selection ("Identity selection"). */
export type Identity =
  | { readonly type: 'admin'; readonly name: string }
  | { readonly type: 'agent'; readonly agentId: string }
  | { readonly type: 'anonymous'; readonly refusedCredential?: string }

/** What the TLS layer knows about the peer. */
export interface Peer {
  /** OpenSSL's opinion of the chain; true on a resumed TLS 1.3 connection *without* any certificate. */
  readonly authorized: boolean
  /** Why the chain of a certificate is not accepted, by OpenSSL's name for it, e.g. `CERT_HAS_EXPIRED`. */
  readonly refusedFor?: string
  readonly certificate?: {
    readonly commonName: string | undefined
    /** Extended key usage OIDs; undefined when the extension is absent. */
    readonly extendedKeyUsage: readonly string[] | undefined
  }
}

export interface Credentials {
  /** Value of the `Authorization` header, several joined by commas; undefined without one. */
  readonly authorization: string | undefined
  readonly peer: Peer
}

/** Finds the agent of a live session, or undefined; at the registrar, which has no sessions, always undefined. */
type AuthenticateToken = (token: string) => Promise<string | undefined>

export interface IdentityParts {
  readonly administratorOf: (peer: Peer) => string | undefined
  readonly selectIdentity: (
    credentials: Credentials,
    authenticateToken: AuthenticateToken,
    administratorOf: (peer: Peer) => string | undefined,
  ) => Promise<Identity>
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/**
 * The administrator's name, when the peer is one: chain accepted, certificate present, clientAuth in
 * its extended key usage. `authorized` alone is not enough: on Node 20 and 22 a resumed TLS 1.3
 * connection reports it without any certificate (interface document, "Certificate requirements").
 */
export function administratorOf(peer: Peer): string | undefined {
  if (!peer.authorized || peer.certificate === undefined) return undefined
  if (peer.certificate.extendedKeyUsage?.includes(CLIENT_AUTH) !== true) return undefined
  return nameOfClient(peer.certificate)
}

/**
 * The name of a client that may use a pull agent: chain accepted, certificate present, and no use given to it that leaves
 * clients out. The use itself is asked of administrators of servers alone: the document is silent of agents, and
 * verifiers in the field come with certificates that name no use (ambiguity EKUENF).
 */
export function trustedClientOf(peer: Peer): string | undefined {
  if (!peer.authorized || peer.certificate === undefined) return undefined
  if (peer.certificate.extendedKeyUsage?.includes(CLIENT_AUTH) === false) return undefined
  return nameOfClient(peer.certificate)
}

/** For the log: no rule requires a common name. */
function nameOfClient({ commonName }: NonNullable<Peer['certificate']>): string {
  return commonName ?? 'a client without a name'
}

/**
 * Identity selection (interface document, "Identity selection"). Rule 1: with an `Authorization` header the request is
 * an agent attempt, with any certificate, and there is no second try. What the document leaves open:
 *
 * - Present means that the header is there, empty or of any scheme (ambiguity BEARER): an unreadable value
 *   was still intended, and a certificate must not replace it.
 * - A token stands after `Bearer`, in any case and after any number of blanks (RFC 9110, 11.1); the bare token is none.
 * - A credential that does not hold makes `anonymous`, and rule 2 keeps public actions open to it.
 * - All of it holds under every version: before 2.5 the document has no such rules, and a client that sends the header there
 *   is safe with them (ambiguity AUTHZ25). Nor has API 2 an authentication of its own (LEGAUTH): ours is its.
 * - An agent reads its own status record with its token under any 2.x path, as no other path is named (AGENTPATH).
 */
export async function selectIdentity(
  credentials: Credentials,
  authenticateToken: AuthenticateToken,
  nameOf: (peer: Peer) => string | undefined,
): Promise<Identity> {
  if (credentials.authorization !== undefined) {
    return identifyAgent(credentials.authorization, authenticateToken)
  }
  const name = nameOf(credentials.peer)
  return name === undefined ? { type: 'anonymous' } : { type: 'admin', name }
}

/** The agent whose token the header holds; `anonymous` with the reason for any other header. */
export async function identifyAgent(
  authorization: string,
  authenticateToken: AuthenticateToken,
): Promise<Identity> {
  const token = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1]
  if (token === undefined) {
    return { type: 'anonymous', refusedCredential: 'Invalid Authorization header format' }
  }
  const agentId = await authenticateToken(token)
  if (agentId === undefined) {
    return { type: 'anonymous', refusedCredential: 'Invalid authentication token' }
  }
  return { type: 'agent', agentId }
}
