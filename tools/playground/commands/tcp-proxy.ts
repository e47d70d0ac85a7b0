import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Host and port of a listening program. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** A loopback port that forwards TCP connections to another address. */
export interface TcpProxy {
  readonly port: number
  /** False while the proxy is cut. */
  readonly isOpen: boolean
  /** Ends every connection, and rejects new ones. */
  cut(): void
  mend(): void
  /** Ends every connection; new ones wait for the release. No effect while the proxy is cut. */
  hold(): void
  /** Forwards waiting connections. */
  release(): void
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Opens a proxy on the given port, or on a free one (`0`). Connects to `to` when a connection arrives. */
export async function openProxy(to: Place, port = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const waiting = new Set<Socket>()
  let state: 'open' | 'held' | 'cut' = 'open'
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
    socket.pipe(other)
  }
  const forward = (near: Socket) => {
    const far = connect(to.port, to.host)
    keep(near, far)
    keep(far, near)
  }
  const wait = (near: Socket) => {
    waiting.add(near)
    near.on('error', () => waiting.delete(near))
    near.on('close', () => waiting.delete(near))
  }
  const handlers = { open: forward, held: wait, cut: (near: Socket) => void near.destroy() }
  const server = createServer((near) => handlers[state](near))
  server.listen(port, LOOPBACK)
  await once(server, 'listening')
  const hangUp = () => {
    for (const socket of [...sockets, ...waiting]) socket.destroy()
  }
  const open = () => {
    state = 'open'
    for (const near of waiting) forward(near)
    waiting.clear()
  }
  return {
    port: (server.address() as AddressInfo).port,
    get isOpen() {
      return state !== 'cut'
    },
    cut() {
      state = 'cut'
      hangUp()
    },
    mend: open,
    hold() {
      if (state === 'cut') return
      state = 'held'
      hangUp()
    },
    release() {
      if (state === 'held') open()
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      hangUp()
      await closed
    },
  }
}
