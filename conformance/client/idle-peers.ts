import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { deferred } from '../attempt/deferred.ts'
import { halfClientHello } from './tls/half-client-hello.ts'

/** The address of a component, and the PEM of the CA of its certificate. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly ca: string
}

/** The number of open connections by state. */
export interface PeerCounts {
  /** Connections with TLS established and no request. */
  readonly idle: number
  /** Connections with half a ClientHello. */
  readonly halves: number
}

/** Open connections that send nothing more. */
interface Peers {
  /** The number of connections that the component has not closed. */
  open(): number
  close(): void
}

/** Parallel handshakes. A flood of handshakes would be a different test. */
const AT_ONCE = 20

/** Opens idle connections, a few at a time. Resolves when all of them are open. */
export async function openPeers(place: Place, { idle, halves }: PeerCounts): Promise<Peers> {
  const sockets: Socket[] = []
  await inParts(idle, () => {
    const socket = keep(sockets, connectTls({ ...place, checkServerIdentity: () => undefined }))
    return settled(socket, 'secureConnect')
  })
  await inParts(halves, async () => {
    const socket = keep(sockets, connectTcp(place))
    await settled(socket, 'connect')
    socket.write(halfClientHello())
  })
  return {
    open: () => sockets.filter(({ readyState }) => readyState === 'open').length,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function keep(sockets: Socket[], socket: Socket): Socket {
  sockets.push(socket)
  socket.on('error', () => undefined)
  // Reading is needed to see the end of the connection, for example after a timeout response.
  socket.resume()
  return socket
}

/** Resolves when the connection is established or rejected. */
export function settled(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  const { promise, resolve } = deferred<void>()
  socket.once(event, () => resolve())
  socket.once('close', () => resolve())
  return promise
}

async function inParts(count: number, open: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, open))
  }
}
