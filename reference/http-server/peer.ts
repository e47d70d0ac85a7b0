import { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Peer } from '../authorization/identity.ts'

/**
 * What the TLS layer of this request says about the client at the time `now`. A connection, and a session
 * that is resumed, may outlive the certificate it began with: OpenSSL looked at its dates once.
 */
export function peerOf(request: IncomingMessage, now: number): Peer {
  const { socket } = request
  if (!(socket instanceof TLSSocket)) return { authorized: false }
  const { raw } = socket.getPeerCertificate()
  // A connection without a client certificate gives an empty object, also when it was resumed.
  if (raw === undefined) return { authorized: socket.authorized }
  const certificate = new X509Certificate(raw)
  const refusedFor = refusalOf(socket, certificate, now)
  return {
    authorized: refusedFor === undefined,
    ...(refusedFor === undefined ? {} : { refusedFor }),
    certificate: {
      commonName: /^CN=(.+)$/m.exec(certificate.subject)?.[1],
      extendedKeyUsage: certificate.keyUsage,
    },
  }
}

function refusalOf(
  socket: TLSSocket,
  { validTo }: X509Certificate,
  now: number,
): string | undefined {
  // Node says it with the code of OpenSSL, whatever the type says.
  if (!socket.authorized) return String(socket.authorizationError ?? 'UNSPECIFIED')
  return Date.parse(validTo) < now ? 'CERT_HAS_EXPIRED' : undefined
}
