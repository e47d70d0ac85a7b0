import { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Peer } from '../authorization/identity.ts'

/** What the TLS layer of this request says about the client. */
export function peerOf(request: IncomingMessage): Peer {
  const { socket } = request
  if (!(socket instanceof TLSSocket)) return { authorized: false }
  const { raw } = socket.getPeerCertificate()
  // A connection without a client certificate gives an empty object, also when it was resumed.
  if (raw === undefined) return { authorized: socket.authorized }
  const certificate = new X509Certificate(raw)
  return {
    authorized: socket.authorized,
    certificate: {
      commonName: /^CN=(.+)$/m.exec(certificate.subject)?.[1],
      extendedKeyUsage: certificate.keyUsage,
    },
  }
}
