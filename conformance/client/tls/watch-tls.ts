import type { ClientRequest } from 'node:http'
import { TLSSocket } from 'node:tls'
import { outliveAnswer } from '../../../simulator/agents/http/outlive-answer.ts'
import type { TlsFacts } from '../../report/transcripts/transcript-entry.ts'
import type { Credentials } from '../identity.ts'

/** Reads the TLS facts while the socket is open; afterwards they are unavailable. */
export function watchTls(
  request: ClientRequest,
  { credentials }: { readonly credentials: Credentials },
): { now(): TlsFacts | undefined } {
  let facts: TlsFacts | undefined
  request.once('socket', (socket) => {
    outliveAnswer(socket)
    if (!(socket instanceof TLSSocket)) return
    const tls = socket
    const look = () => {
      facts = tlsFacts(tls, credentials)
    }
    if (tls.getProtocol() === null || tls.connecting) tls.once('secureConnect', look)
    else look()
  })
  return { now: () => facts }
}

/** TLS facts of kept connections, cached because parsing a certificate takes longer than an exchange. */
const factsOf = new WeakMap<TLSSocket, TlsFacts>()

function tlsFacts(socket: TLSSocket, credentials: Credentials): TlsFacts {
  const facts = factsOf.get(socket) ?? readTlsFacts(socket, credentials)
  factsOf.set(socket, facts)
  return facts
}

function readTlsFacts(socket: TLSSocket, credentials: Credentials): TlsFacts {
  const server = socket.getPeerX509Certificate()
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    resumed: socket.isSessionReused(),
    ...(credentials.certificate === undefined
      ? {}
      : { client_certificate: credentials.certificate.subject }),
    ...(server === undefined
      ? {}
      : { server_certificate_sha256: server.fingerprint256.replaceAll(':', '').toLowerCase() }),
  }
}
