import type { X509Certificate } from 'node:crypto'
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
  const shown = certificateOf(socket)
  if (shown === undefined) return { authorized: socket.authorized }
  const { validTo, ...certificate } = shown
  const refusedFor = refusalOf(socket, validTo, now)
  return {
    authorized: refusedFor === undefined,
    ...(refusedFor === undefined ? {} : { refusedFor }),
    certificate,
  }
}

type Shown = NonNullable<Peer['certificate']> & {
  /** Milliseconds since 1970. */
  readonly validTo: number
}

/** Reading a certificate takes longer than most requests, and a connection keeps the one it began with. */
const shownOn = new WeakMap<TLSSocket, Shown>()

/** A connection without a client certificate has none, also when it was resumed. */
function certificateOf(socket: TLSSocket): Shown | undefined {
  const known = shownOn.get(socket)
  if (known !== undefined) return known
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return undefined
  const shown = readCertificate(certificate)
  shownOn.set(socket, shown)
  return shown
}

function readCertificate({ subject, keyUsage, validTo }: X509Certificate): Shown {
  return {
    commonName: /^CN=(.+)$/m.exec(subject)?.[1],
    extendedKeyUsage: keyUsage,
    validTo: Date.parse(validTo),
  }
}

function refusalOf(socket: TLSSocket, validTo: number, now: number): string | undefined {
  // At run time the value is OpenSSL's code, in spite of the type.
  if (!socket.authorized) return String(socket.authorizationError ?? 'UNSPECIFIED')
  return validTo < now ? 'CERT_HAS_EXPIRED' : undefined
}
