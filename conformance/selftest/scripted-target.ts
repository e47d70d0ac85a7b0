import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { makeCa } from '../target/testing/test-support.ts'

/** Handles a request of a scripted server after its body has arrived. */
export type Listener = (body: string, request: IncomingMessage, response: ServerResponse) => void

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Connections below TLS, by the port of the client. */
const connections = new Map<number, Socket>()

/** Ends the connection of a request with a TCP reset. */
export function resetConnection({ socket }: IncomingMessage): void {
  connections.get(socket.remotePort ?? 0)?.resetAndDestroy()
}

interface Files {
  readonly certificate: string
  readonly key: string
}

function listen(listener: Listener, { certificate, key }: Files): Promise<string> {
  const files = { cert: readFileSync(certificate), key: readFileSync(key) }
  const server = createServer(files, (request, response) => {
    bodyOf(request).then(
      (body) => listener(body, request, response),
      () => response.destroy(),
    )
  })
  server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket
    connections.set(remotePort, socket)
    socket.once('close', () => connections.delete(remotePort))
  })
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

/** Serves those roles with one listener until the end of the test, and returns the target file for them. */
export async function scriptedTarget(
  directory: string,
  roles: readonly string[],
  listener: Listener,
  more: object = {},
): Promise<string> {
  const ca = await makeCa(directory)
  const served = await ca.issue('server', { usages: ['serverAuth'] })
  const admin = await ca.issue('admin', { usages: ['clientAuth'] })
  const url = await listen(listener, served)
  const target = join(directory, 'scripted.target.yaml')
  const document = {
    ...{ name: 'scripted', versions: ['2.5'], capabilities: [] },
    roles: Object.fromEntries(roles.map((role) => [role, { url }])),
    ...{ tls: { ca: ca.file, admin }, time: { request_within: '10s' } },
    ...more,
  }
  writeFileSync(target, stringify(document))
  return target
}
