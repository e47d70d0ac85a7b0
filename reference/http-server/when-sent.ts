import type { ServerResponse } from 'node:http'

/**
 * Runs `work` once the response has left or its connection is gone, whichever came first or has come already. A response
 * that waits behind another one on its connection has no `close` of its own when that ends.
 */
export function whenSent(response: ServerResponse, work: () => void): void {
  const { socket } = response.req
  if (response.closed || response.destroyed || socket.destroyed) {
    work()
    return
  }
  let isOver = false
  const run = (): void => {
    response.off('close', run)
    socket.off('close', run)
    if (!isOver) work()
    isOver = true
  }
  response.once('close', run)
  socket.once('close', run)
}
