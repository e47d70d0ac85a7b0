import type { Misbehaviour } from './misbehaviour.ts'

/** A fatal alert of TLS 1.2 (RFC 5246, 7.2): handshake_failure. */
const ALERT = Uint8Array.of(0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28)

/** Misbehaviours before the request. */
export const CONNECTION_MISBEHAVIOURS = {
  'connection-reset': {
    what: 'it resets each new connection',
    connects: (socket) => void socket.resetAndDestroy(),
  },
  'tls-alert': {
    what: 'it answers the ClientHello with a fatal alert',
    connects: (socket) => {
      socket.once('data', () => socket.end(ALERT))
    },
  },
  'no-tls': {
    what: 'it answers the ClientHello with plain HTTP',
    connects: (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
    },
  },
  'other-certificate': {
    what: 'it presents another certificate than the registered one',
    connects: (socket, other) => other(socket),
  },
  'certificate-of-another-agent': {
    what: 'it presents the certificate of another agent that was added',
    connects: (socket, other) => other(socket),
  },
  'certificate-issued-by-its-own': {
    what: 'it presents a certificate that the registered one has issued',
    connects: (socket, other) => other(socket),
  },
  'silent-connection': {
    what: 'it accepts the connection and sends nothing',
    connects: (socket) => void socket.resume(),
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>
