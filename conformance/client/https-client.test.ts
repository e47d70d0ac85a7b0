import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { makeAuthority, makeCertificate } from '../../simulator/x509/factory.ts'
import { SERVER_AUTH } from '../../simulator/x509/recipes.ts'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import { MOST_ANSWER_BYTES } from '../attempt/limits-of-answers.ts'
import { HttpsClient } from './https-client.ts'
import { ANONYMOUS } from './identity.ts'
import { SILENCE_MS } from './raw-client.ts'
import { SecureContexts } from './tls/secure-contexts.ts'
import { Transcript } from './transcript.ts'

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** The URL of a server with that listener. */
function serverWith(
  listener: RequestListener,
  tls?: { readonly cert: string; readonly key: string },
): Promise<string> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

/** An authority, and a server's certificate of it with its key. */
async function certified() {
  const issuer = await makeAuthority('test', Date.now())
  const recipe = { commonName: 'server', usages: [SERVER_AUTH], addresses: ['127.0.0.1'] }
  const { certificate: cert, key } = await makeCertificate(recipe, issuer, Date.now())
  return { ca: issuer.certificate, own: { cert, key } }
}

/** A client whose requests may take `requestMs`, and its transcript. */
function clientWithin(requestMs: number, ca = '') {
  const transcript = new Transcript(() => performance.now())
  const client = new HttpsClient({
    ...{ contexts: new SecureContexts(ca), transcript, requestMs },
    signal: () => new AbortController().signal,
    pace: async () => undefined,
  })
  onTestFinished(() => client.close())
  return { client, transcript }
}

test('a request without an answer ends at its time limit, although garbage is collected meanwhile', async () => {
  const url = await serverWith(() => setTimeout(collectGarbage, 20))
  const { client } = clientWithin(200)
  const { status, failure } = await client.exchange({ method: 'GET', url, credentials: ANONYMOUS })
  expect({ status, failure }).toEqual({ status: undefined, failure: 'no answer in time' })
})

/** Writes that many bytes, as fast as the client takes them. */
function writeBytes(bytes: number): RequestListener {
  return (_request, response) => {
    const all = Array.from({ length: bytes / MEBIBYTE }, () => Buffer.alloc(MEBIBYTE, 'a'))
    pipeline(Readable.from(all), response, () => undefined)
  }
}

/** Writes without an end, one byte after the other. */
const drip: RequestListener = (_request, response) => {
  response.write('a')
  const timer = setInterval(() => response.write('a'), 20)
  response.once('close', () => clearInterval(timer))
}

test('silence ends a raw exchange only after the responses that it awaits', async () => {
  let requests = 0
  const url = await serverWith((_request, response) => {
    requests += 1
    setTimeout(() => response.end('answered'), requests === 1 ? 0 : 2 * SILENCE_MS)
  })
  const bytes = ['GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2)]
  const pair = { url, credentials: ANONYMOUS, bytes, plain: true, awaits: 2 }
  const { replies } = await clientWithin(20_000).client.raw(pair)
  expect(replies.map(({ text }) => text)).toEqual(['answered', 'answered'])
})

const MEBIBYTE = 1024 * 1024

test.each([
  ['one byte after another', drip, 1000, 'began and did not end within 1 s'],
  ['too much', writeBytes(2 * MOST_ANSWER_BYTES), 20_000, 'has more than 32 MiB'],
])(
  'an answer of %s ends the scenario with one sentence, in the transcript too',
  async (_, listener, withinMs, words) => {
    const url = await serverWith(listener)
    const { client, transcript } = clientWithin(withinMs)
    const asked = { method: 'GET', url, credentials: ANONYMOUS }
    const sentence = `the answer to GET ${url} ${words}`
    await expect(client.exchange(asked)).rejects.toThrow(new PrerequisiteFailed(sentence))
    expect(transcript.entries).toMatchObject([{ failure: `the answer ${words}` }])
    await expect(client.repeat(asked, () => false)).rejects.toThrow(
      new PrerequisiteFailed(sentence),
    )
    const raw = {
      url,
      credentials: ANONYMOUS,
      bytes: ['GET / HTTP/1.1\r\nhost: a\r\n\r\n'],
      plain: true,
    }
    await expect(client.raw(raw)).rejects.toThrow(
      new PrerequisiteFailed(`the answer to raw bytes at ${url} ${words}`),
    )
  },
)

test('an answer of as many bytes as the limit is read', async () => {
  const url = await serverWith(writeBytes(MOST_ANSWER_BYTES))
  const { client } = clientWithin(20_000)
  const { status, text } = await client.exchange({ method: 'GET', url, credentials: ANONYMOUS })
  expect({ status, length: text.length }).toEqual({ status: 200, length: MOST_ANSWER_BYTES })
})

test('no connection resumes the session of an earlier one, so a server that refuses that cannot fail a scenario by chance', async () => {
  const { ca, own } = await certified()
  const resumed: boolean[] = []
  const url = await serverWith(({ socket }, response) => {
    resumed.push((socket as TLSSocket).isSessionReused())
    response.setHeader('connection', 'close').end()
  }, own)
  const { client } = clientWithin(20_000, ca)
  for (let count = 0; count < 3; count++)
    await client.exchange({ method: 'GET', url, credentials: ANONYMOUS })
  expect(resumed).toEqual([false, false, false])
})

/** A server that ends a connection at the second request over it, and at every request whose path is `/never`. */
async function startClosing() {
  const { ca, own } = await certified()
  const asked: string[] = []
  const used = new WeakSet<object>()
  const url = await serverWith(({ socket, method, url: path }, response) => {
    asked.push(`${method} ${path}`)
    if (used.has(socket) || path === '/never') socket.destroy()
    used.add(socket)
    response.end('{}')
  }, own)
  return { url, asked, ...clientWithin(20_000, ca) }
}

test('a request that changes nothing is repeated on a new connection if the server closed the kept one', async () => {
  const { url, asked, client, transcript } = await startClosing()
  const ask = (method: string) => client.exchange({ method, url, credentials: ANONYMOUS })
  const replies = [await ask('GET'), await ask('GET')]
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(asked).toEqual(['GET /', 'GET /', 'GET /'])
  expect(transcript.entries.map(({ lane }) => lane)).toEqual(['wire', 'note', 'wire'])
})

test('a request that changes something is not repeated', async () => {
  const { url, asked, client } = await startClosing()
  const ask = (method: string) => client.exchange({ method, url, credentials: ANONYMOUS })
  const replies = [await ask('POST'), await ask('POST')]
  expect(replies.map(({ status, endedInTls }) => [status, endedInTls])).toEqual([
    [200, false],
    [undefined, true],
  ])
  expect(asked).toEqual(['POST /', 'POST /'])
})

test('a server that closes a new connection too has not answered', async () => {
  const { url, asked, client } = await startClosing()
  const ask = (path: string) =>
    client.exchange({ method: 'GET', url: `${url}${path}`, credentials: ANONYMOUS })
  await ask('/')
  const { status, failure, endedInTls } = await ask('/never')
  expect({ status, failure, endedInTls }).toEqual({
    ...{ status: undefined, failure: 'ECONNRESET', endedInTls: true },
  })
  expect(asked).toEqual(['GET /', 'GET /never', 'GET /never'])
})
