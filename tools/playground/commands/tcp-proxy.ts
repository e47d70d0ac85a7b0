import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where something listens. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** A loopback port that leads to another place, until the cable is cut. */
export interface TcpProxy {
  readonly port: number
  /** Not so once it was cut. */
  readonly isOpen: boolean
  /** Ends every connection, and each new one at once. */
  cut(): void
  mend(): void
  /** Ends every connection; each new one waits to be led on. Where it is cut nobody waits. */
  hold(): void
  /** Leads on whoever has waited. */
  release(): void
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Opens a gate, on a free port unless told. Nobody has to listen at `to` before somebody comes. */
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
  const lead = (near: Socket) => {
    const far = connect(to.port, to.host)
    keep(near, far)
    keep(far, near)
  }
  const wait = (near: Socket) => {
    waiting.add(near)
    near.on('error', () => waiting.delete(near))
    near.on('close', () => waiting.delete(near))
  }
  const welcomes = { open: lead, held: wait, cut: (near: Socket) => void near.destroy() }
  const server = createServer((near) => welcomes[state](near))
  server.listen(port, LOOPBACK)
  await once(server, 'listening')
  const hangUp = () => {
    for (const socket of [...sockets, ...waiting]) socket.destroy()
  }
  const open = () => {
    state = 'open'
    for (const near of waiting) lead(near)
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
