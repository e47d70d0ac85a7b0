import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { type TestServer, type TestServerOptions, testServer } from './test-server.ts'

interface ListeningServer extends TestServer {
  readonly port: number
}

/** A test server on a free port that ends with the test. */
export async function listeningServer(
  options: TestServerOptions = {},
  operation?: Parameters<typeof testServer>[0],
): Promise<ListeningServer> {
  const made = testServer(operation, options)
  onTestFinished(() => made.server.close())
  await made.server.listen({ host: '127.0.0.1', port: 0 })
  return { ...made, port: (made.server.server.address() as AddressInfo).port }
}

/** A TLS connection that ends with the test. */
export async function connected(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return socket
}

/** Writes bytes as they are, and reads until the server ends the connection. */
export async function converse(
  port: number,
  lines: readonly string[],
  options: ConnectionOptions = {},
): Promise<string> {
  const socket = await connected(port, options)
  socket.write(lines.join('\r\n'))
  return text(socket)
}

/** The statuses of all replies in a conversation. */
export function statusesIn(conversation: string): readonly number[] {
  return [...conversation.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}
