import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { deferred } from '../attempt/deferred.ts'
import { halfClientHello } from './half-client-hello.ts'

/** Where one component listens, and the PEM of the CA of its certificate. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly ca: string
}

/** How many connections are held open, and in which state. */
export interface PeerCounts {
  /** TLS is established, and nothing is said. */
  readonly idle: number
  /** Half a ClientHello is said. */
  readonly halves: number
}

/** Connections that are open and say nothing more. */
export interface Peers {
  /** How many the component has not ended yet. */
  open(): number
  close(): void
}

/** Handshakes at the same time: a flood of them would be another test than this. */
const AT_ONCE = 20

/** Opens connections that want nothing, a few at a time, so that all of them are there when it resolves. */
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
  // What the component says to somebody who is too slow is read, so that its end of the connection is seen.
  socket.resume()
  return socket
}

/** Resolves when the connection is there, and also when the component does not want it. */
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
