import type { Server, Socket } from 'node:net'

/** Bytes of a connection that Node cannot read as HTTP, and how they are answered. */
export interface UnreadBytes {
  /** The bytes up to the end of the first line. */
  readonly firstLine: string
  /** At most 4096 bytes, one character each. */
  readonly text: string
  readonly status: number
  /** Why they are no HTTP, in Node's words. */
  readonly reason: string
}

interface UnreadError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

/** Statuses of requests that do not reach a listener, by Node's code of the error; of other errors of HTTP it is 400. */
const UNREAD: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Bytes of such a request that are recorded. */
export const SHOWN_BYTES = 4096

/** Answers bytes that are no HTTP and closes their connection; calls `record` first. */
export function answerUnread(
  server: Server,
  record: (bytes: UnreadBytes, socket: Socket) => void,
): void {
  server.on('clientError', (error: UnreadError, socket: Socket) => {
    const { code = '', message, rawPacket = Buffer.alloc(0) } = error
    const status = UNREAD[code] ?? (code.startsWith('HPE_') ? 400 : undefined)
    if (status === undefined || !socket.writable) {
      socket.destroy()
      return
    }
    const text = rawPacket.subarray(0, SHOWN_BYTES).toString('latin1')
    const [firstLine = ''] = text.split(/\r?\n/, 1)
    record({ firstLine, text, status, reason: message }, socket)
    socket.end(`HTTP/1.1 ${status} \r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  })
}
