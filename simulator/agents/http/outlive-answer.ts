import type { Socket } from 'node:net'

const outliving = new WeakSet<Socket>()

/**
 * A request that was answered no longer listens for errors of its socket. If the server resets the connection then, the
 * last bytes of TLS cannot be written, and without a listener that error would end this process.
 */
export function outliveAnswer(socket: Socket): void {
  if (outliving.has(socket)) return
  outliving.add(socket)
  socket.on('error', () => undefined)
}
