/** Who is asking, after the identity selection of the interface document ("Identity selection"). */
export type Identity =
  | { readonly type: 'admin'; readonly name: string }
  | { readonly type: 'agent'; readonly agentId: string }
  | { readonly type: 'anonymous'; readonly refusedCredential?: string }

/** What the TLS layer knows of the other side. */
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
  /** Value of the `Authorization` header; undefined when the header is absent. */
  readonly authorization: string | undefined
  readonly peer: Peer
}

/** Finds the agent of a live session, or undefined. */
export type AuthenticateToken = (token: string) => Promise<string | undefined>

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
  return peer.certificate.commonName
}

/** Rule 1: with an `Authorization` header the request is an agent attempt, whatever certificate is shown. */
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
