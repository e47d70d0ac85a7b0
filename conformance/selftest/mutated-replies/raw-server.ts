import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { WireAnswer } from './mutate-reply.ts'

/** A server without TLS that answers each request with bytes that were given before. */
export interface RawServer {
  /** Address at which the bytes are the answer, once. */
  offer(answer: WireAnswer): string
  close(): void
}

const HEAD = /^\S+ \/(\d+)/

function answerWith(socket: Socket, { bytes, end }: WireAnswer): void {
  socket.write(bytes, () => (end === 'reset' ? socket.resetAndDestroy() : socket.end()))
}

export async function startRawServer(): Promise<RawServer> {
  const offered = new Map<string, WireAnswer>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.once('data', (head: Buffer) => {
      const [, key = ''] = HEAD.exec(head.toString('latin1')) ?? []
      const answer = offered.get(key)
      offered.delete(key)
      if (answer === undefined) socket.destroy()
      else answerWith(socket, answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let count = 0
  return {
    offer(answer) {
      offered.set(String(++count), answer)
      return `http://127.0.0.1:${port}/${count}`
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
