import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { authority, tlsOf } from '../dev/testing/test-server.ts'
import { CLIENT_AUTH, createAuthority } from '../pki/authority.ts'
import { type JsonClientOptions, jsonClient, NoAnswer } from './json-client.ts'

const SERVER = await tlsOf(authority)
const IDENTITY = await authority.issue({ commonName: 'verifier', usage: CLIENT_AUTH })
const SLOW = 10_000

/** A client of a server that answers like this. */
async function clientOf(answer: RequestListener, change: Partial<JsonClientOptions> = {}) {
  const { ca, certificate: cert, key } = SERVER
  const options = { ca, cert, key, requestCert: true, rejectUnauthorized: false }
  const server = createServer(options, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const common = { host: '127.0.0.1', port, trust: { ca }, timeoutMs: SLOW, maxBytes: 1000 }
  const client = jsonClient({ ...common, ...change })
  onTestFinished(() => {
    client.close()
    server.closeAllConnections()
    server.close()
  })
  return client
}

const saying =
  (status: number, text: string, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(text)

const seen = ({ socket, url }: IncomingMessage) => {
  const { subject } = (socket as TLSSocket).getPeerCertificate()
  return { url, subject: subject?.CN ?? null }
}

test.each([200, 404, 500])('an answer of HTTP %i is given with its JSON', async (status) => {
  const client = await clientOf(saying(status, '{"a":[1]}'))
  expect(await client.get('/x')).toMatchObject({ status, body: { a: [1] } })
})

test('the server sees the path and the identity', async () => {
  const answer: RequestListener = (request, response) => response.end(JSON.stringify(seen(request)))
  const known = await clientOf(answer, { identity: IDENTITY })
  const anonymous = await clientOf(answer)
  expect((await known.get('/x?y=1')).body).toEqual({ url: '/x?y=1', subject: 'verifier' })
  expect((await anonymous.get('/')).body).toEqual({ url: '/', subject: null })
})

test.each(['', 'text', '{"a":', '\xff'])('%o is no JSON', async (text) => {
  const client = await clientOf((_, response) => response.end(text, 'latin1'))
  expect(await client.get('/')).toMatchObject({ status: 200, body: undefined })
})

test('a redirect is an answer, and is not followed', async () => {
  let asked = 0
  const client = await clientOf((_, response) => {
    asked += 1
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect(await client.get('/')).toMatchObject({ status: 307, headers: { location: '/elsewhere' } })
  expect(asked).toBe(1)
})

test('a method, headers and a body of JSON are sent as they are given', async () => {
  const answer: RequestListener = async (request, response) => {
    const [method, { authorization, 'content-type': type }] = [request.method, request.headers]
    response.end(JSON.stringify({ method, authorization, type, body: await readText(request) }))
  }
  const client = await clientOf(answer)
  const question = { method: 'PUT', path: '/', body: { a: 'ä' }, headers: { authorization: 'B x' } }
  const type = 'application/json'
  const seen = { method: 'PUT', authorization: 'B x', type, body: '{"a":"ä"}' }
  expect((await client.ask(question)).body).toEqual(seen)
})

test('what no authority issued is believed where exactly it is expected', async () => {
  const certificate = await selfSigned()
  const pinned = { trust: { certificate: SERVER.certificate } }
  expect(await problemOf(saying(200, '{}'), pinned)).toBe('an answer')
  const other = { trust: { certificate } }
  expect(await problemOf(saying(200, '{}'), other)).toMatch(/^[A-Z_]+$/)
})

test('a certificate of the authority that is expected itself is another certificate', async () => {
  const trust = { certificate: SERVER.ca }
  expect(await problemOf(saying(200, '{}'), { trust })).toBe('ANOTHER_CERTIFICATE')
})

test('a kept connection that ended meanwhile costs a question another one, and a command its answer', async () => {
  const ends: RequestListener = ({ method, socket }, response) => {
    if (seenOn.has(socket)) return void socket.destroy()
    seenOn.add(socket)
    response.end(JSON.stringify(method))
  }
  const seenOn = new WeakSet<object>()
  const client = await clientOf(ends, { connections: 1 })
  expect((await client.get('/')).body).toBe('GET')
  expect((await client.get('/')).body).toBe('GET')
  await expect(client.ask({ method: 'POST', path: '/' })).rejects.toThrow('ECONNRESET')
})

async function selfSigned(): Promise<string> {
  return (await createAuthority('Another CA', Date.now())).certificate
}

async function problemOf(answer: RequestListener, change: Partial<JsonClientOptions> = {}) {
  const client = await clientOf(answer, change)
  return client.get('/').then(
    () => 'an answer',
    (error) => (error instanceof NoAnswer ? error.message : `a fault: ${error}`),
  )
}

test('an answer may be as large as it may be, and no larger', async () => {
  const text = (size: number) => saying(200, JSON.stringify('x'.repeat(size - 2)))
  expect(await problemOf(text(1000))).toBe('an answer')
  expect(await problemOf(text(1001))).toBe('an answer of more than 1000 bytes')
})

test.each<[string, RequestListener]>([
  ['never begins', () => undefined],
  ['never ends', (_, response) => response.write('{')],
])('an answer that %s is not waited for', async (_, answer) => {
  expect(await problemOf(answer, { timeoutMs: 50 })).toBe('no answer within 50 ms')
})

test('a server of another authority is not believed', async () => {
  const { certificate: ca } = await createAuthority('Another CA', Date.now())
  expect(await problemOf(saying(200, '{}'), { trust: { ca } })).toMatch(/^[A-Z_]+$/)
})

test('the error for a closed port has its code', async () => {
  expect(await problemOf(saying(200, '{}'), { port: 1 })).toBe('ECONNREFUSED')
})

test('a connection that ends early gives no answer', async () => {
  expect(await problemOf((request) => request.socket.destroy())).toBe('ECONNRESET')
})

test('a client that is closed asks no more', async () => {
  const client = await clientOf(saying(200, '{}'))
  const under = client.get('/')
  client.close()
  await expect(under).rejects.toBeInstanceOf(NoAnswer)
  await expect(client.get('/')).rejects.toBeInstanceOf(NoAnswer)
})

test('an idle connection is closed after its time limit, and one in use is not', async () => {
  const sockets: IncomingMessage['socket'][] = []
  const answer: RequestListener = ({ socket }, response) => {
    sockets.push(socket)
    setTimeout(() => response.end('{}'), 60)
  }
  const client = await clientOf(answer, { idleMs: 40, connections: 1 })
  await client.get('/')
  await client.get('/')
  expect(new Set(sockets).size).toBe(1)
  await new Promise((resolve) => sockets[0]?.once('close', resolve))
  await client.get('/')
  expect(new Set(sockets).size).toBe(2)
})
