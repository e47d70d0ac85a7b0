import type { Misbehaviour } from './misbehaviour.ts'

/** A fatal alert of TLS 1.2 (RFC 5246, 7.2): handshake_failure. */
const ALERT = Uint8Array.of(0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28)

/** What goes wrong before there is a request. */
export const CONNECTION_MISBEHAVIOURS = {
  'connection-reset': {
    what: 'it resets the connection as soon as it is there',
    connects: (socket) => void socket.resetAndDestroy(),
  },
  'tls-alert': {
    what: 'it answers the ClientHello with a fatal alert',
    connects: (socket) => {
      socket.once('data', () => socket.end(ALERT))
    },
  },
  'no-tls': {
    what: 'it answers the ClientHello with HTTP in the clear',
    connects: (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
    },
  },
  'other-certificate': {
    what: 'it shows another certificate than the one that it registered with',
    connects: (socket, other) => other(socket),
  },
  'silent-connection': {
    what: 'it takes the connection and says nothing at all',
    connects: (socket) => void socket.resume(),
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>
