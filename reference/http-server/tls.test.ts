import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { issueWithoutUsage } from '../dev/testing/certificates/issue-without-usage.ts'
import { settableClock } from '../dev/testing/settable-clock.ts'
import { authority, type TestServerOptions, testServer, tlsOf } from '../dev/testing/test-server.ts'
import { CLIENT_AUTH, createAuthority, SERVER_AUTH } from '../pki/authority.ts'

/** Port of a server that ends with the test. */
async function listening(options: TestServerOptions = {}): Promise<number> {
  const { server } = testServer(undefined, options)
  onTestFinished(() => server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  return (server.server.address() as AddressInfo).port
}

/** Status and identity that a GET of an agent's status record meets. */
async function ask(
  port: number,
  options: ConnectionOptions,
  headers = {},
  agent: Agent | false = false,
): Promise<unknown> {
  const asked = request({
    host: '127.0.0.1',
    port,
    path: '/v3/agents/a',
    agent,
    headers,
    ca: authority.certificate,
    ...options,
  })
  asked.end()
  const [reply] = await once(asked, 'response')
  const { results } = JSON.parse(await text(reply))
  return [reply.statusCode, results.identity?.type]
}

async function clientOf(usage: typeof CLIENT_AUTH | typeof SERVER_AUTH, ca = authority) {
  const { certificate, key } = await ca.issue({ commonName: 'client', usage })
  return { cert: certificate, key }
}

test('a certificate of the CA with clientAuth is an administrator', async () => {
  expect(await ask(await listening(), await clientOf(CLIENT_AUTH))).toEqual([200, 'admin'])
})

test('a client without a certificate is anonymous', async () => {
  expect(await ask(await listening(), {})).toEqual([403, undefined])
})

test('a certificate of the CA with serverAuth is anonymous', async () => {
  expect(await ask(await listening(), await clientOf(SERVER_AUTH))).toEqual([403, undefined])
})

test('a certificate of the CA without any usage, which OpenSSL accepts, is anonymous', async () => {
  const { certificate: cert, key } = await issueWithoutUsage(authority)
  expect(await ask(await listening(), { cert, key })).toEqual([403, undefined])
})

test('a certificate of a CA of the same name is anonymous', async () => {
  const other = await createAuthority('Test CA', Date.now())
  expect(await ask(await listening(), await clientOf(CLIENT_AUTH, other))).toEqual([403, undefined])
})

test('an expired certificate is anonymous', async () => {
  const old = await createAuthority('Old CA', Date.now() - 400 * 86_400_000)
  const port = await listening({ tls: await tlsOf(old) })
  const client = { ...(await clientOf(CLIENT_AUTH, old)), rejectUnauthorized: false }
  expect(await ask(port, client)).toEqual([403, undefined])
})

test('a connection cannot change its identity', async () => {
  const port = await listening()
  const options = {
    host: '127.0.0.1',
    port,
    ca: authority.certificate,
    maxVersion: 'TLSv1.2',
  } as const
  const socket = connect({ ...options, ...(await clientOf(CLIENT_AUTH)) })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  const failure = await new Promise((resolve) => {
    socket.on('error', resolve)
    socket.once('close', () => resolve('closed'))
    socket.renegotiate({ rejectUnauthorized: false }, (error) => resolve(error ?? 'renegotiated'))
  })
  expect(failure).not.toBe('renegotiated')
})

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a %s connection does not extend the validity of its certificate',
  async (maxVersion) => {
    const clock = settableClock(Date.now())
    const port = await listening({ clock })
    const { cert, key } = await clientOf(CLIENT_AUTH)
    const agent = new Agent({ keepAlive: true, maxSockets: 1, cert, key, maxVersion })
    onTestFinished(() => agent.destroy())
    expect(await ask(port, {}, {}, agent)).toEqual([200, 'admin'])
    clock.pass(366 * 86_400)
    expect(await ask(port, {}, {}, agent)).toEqual([403, undefined])
  },
)

test('a certificate without a common name is an administrator too', async () => {
  const { certificate: cert, key } = await authority.issue({ commonName: '', usage: CLIENT_AUTH })
  expect(await ask(await listening(), { cert, key })).toEqual([200, 'admin'])
})

test('with an Authorization header the certificate of an administrator is ignored', async () => {
  const port = await listening()
  const client = await clientOf(CLIENT_AUTH)
  expect(await ask(port, client, { authorization: 'Bearer dead' })).toEqual([401, undefined])
  expect(await ask(port, client, { authorization: 'Bearer live' })).toEqual([200, 'agent'])
})

test('of two Authorization headers neither counts, in either order', async () => {
  const port = await listening()
  const client = await clientOf(CLIENT_AUTH)
  for (const authorization of [
    ['Bearer live', 'Bearer dead'],
    ['Bearer live', 'Bearer live'],
    ['', 'Bearer live'],
  ]) {
    expect(await ask(port, client, { authorization })).toEqual([401, undefined])
  }
})

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a resumed anonymous %s connection is anonymous',
  async (maxVersion) => {
    const port = await listening()
    const options = { host: '127.0.0.1', port, ca: authority.certificate, maxVersion }
    const session = await sessionOf(connect(options))
    expect(await ask(port, { maxVersion, session })).toEqual([403, undefined])
  },
)

/** The session ticket of a connection that has been served once. */
async function sessionOf(socket: TLSSocket): Promise<Buffer> {
  const ticket = once(socket, 'session')
  socket.write('GET /v3/open HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  const [session] = await ticket
  socket.destroy()
  return session
}

test('silent connections and partial requests hold up no other client', async () => {
  const port = await listening()
  const idle = Array.from({ length: 50 }, () => connectTcp(port, '127.0.0.1'))
  const silent = Array.from({ length: 20 }, () =>
    connect({ host: '127.0.0.1', port, rejectUnauthorized: false }),
  )
  onTestFinished(() => endAll([...idle, ...silent]))
  await Promise.all(silent.map((socket) => once(socket, 'secureConnect')))
  for (const socket of silent.slice(10)) socket.write('GET /v3/open HTTP/1.1\r\nhost:')
  expect(await ask(port, await clientOf(CLIENT_AUTH))).toEqual([200, 'admin'])
})

function endAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy()
}

test('a client that disconnects in the middle of a body holds up no other client', async () => {
  const port = await listening()
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.write('POST /v3/evaluate HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"half":')
  socket.destroy()
  expect(await ask(port, await clientOf(CLIENT_AUTH))).toEqual([200, 'admin'])
})

test('slow connections have an end', () => {
  const { server } = testServer()
  const { headersTimeout, requestTimeout, timeout } = server.server
  expect([headersTimeout, requestTimeout, timeout]).toEqual([20_000, 120_000, 120_000])
})
