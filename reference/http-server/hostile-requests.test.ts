import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { connected, converse, listeningServer, statusesIn } from '../dev/testing/listening.ts'
import { authority } from '../dev/testing/test-server.ts'
import { CLIENT_AUTH } from '../pki/authority.ts'
import { requestChecks } from './request-checks.ts'

const END = ['', '']

function post(...headers: readonly string[]): readonly string[] {
  return ['POST /v3/open HTTP/1.1', 'host: x', ...headers]
}

function get(...headers: readonly string[]): readonly string[] {
  return ['GET /v3/open HTTP/1.1', 'host: x', ...headers, ...END]
}

const NOT_HTTP = { code: 400, status: 'The request is not HTTP/1.1.', results: {} }

test.each([
  ['no request at all', ['GET hello', ...END]],
  ['HTTP/0.9', ['GET /v3/open', ...END]],
  ['HTTP/2.0', ['PRI * HTTP/2.0', '', 'SM', ...END]],
  ['two lengths of one body', post('content-length: 2', 'transfer-encoding: chunked', ...END)],
  ['two different lengths', post('content-length: 2', 'content-length: 3', '', '{} ')],
  ['a negative length', post('content-length: -1', ...END)],
  ['a length with a sign', post('content-length: +2', '', '{}')],
  ['a hexadecimal length', post('content-length: 0x2', '', '{}')],
  ['a blank before the colon', post('transfer-encoding : chunked', ...END)],
  ['a folded header', post('x: 1', ' 2', ...END)],
  ['a NUL in a header', get('x: a\0b')],
  ['an unknown transfer coding', post('transfer-encoding: identity', ...END)],
  ['an invalid chunk size', post('transfer-encoding: chunked', '', 'x', ...END)],
])('%s is answered once with 400 in the envelope, and the connection ends', async (_, lines) => {
  const { port } = await listeningServer()
  const said = await converse(port, lines)
  expect(statusesIn(said)).toEqual([400])
  expect(JSON.parse(said.split('\r\n\r\n')[1] ?? '')).toEqual(NOT_HTTP)
})

test.each([
  ['an unknown method', ['BREW /v3/open HTTP/1.1', 'host: x', ...END], 501],
  ['CONNECT', ['CONNECT elsewhere:443 HTTP/1.1', 'host: x', ...END], 501],
  ['a head of 70 000 bytes', get(`x: ${'y'.repeat(70_000)}`), 431],
  ['101 headers', get('connection: close', ...Array<string>(99).fill('a: b')), 431],
  ['two Host headers', get('connection: close', 'host: y'), 400],
  [
    'a target with a host',
    ['GET https://x/v3/open HTTP/1.1', ...get('connection: close').slice(1)],
    400,
  ],
  ['a fragment', ['GET /v3/open#x HTTP/1.1', ...get('connection: close').slice(1)], 400],
  ['an asterisk', ['OPTIONS * HTTP/1.1', ...get('connection: close').slice(1)], 400],
  [
    'two codings',
    post('connection: close', 'transfer-encoding: gzip, chunked', '', '0', ...END),
    501,
  ],
  [
    'chunks in HTTP/1.0',
    ['POST /v3/open HTTP/1.0', 'transfer-encoding: chunked', '', '0', ...END],
    400,
  ],
  ['an unknown expectation', get('connection: close', 'expect: the-unexpected'), 417],
  [
    'a compressed body',
    post('connection: close', 'content-encoding: gzip', 'content-length: 2', '', '{}'),
    415,
  ],
  [
    'another charset',
    post(
      'connection: close',
      'content-type: application/json; charset=utf-16',
      'content-length: 2',
      '',
      '{}',
    ),
    415,
  ],
])('%s is refused', async (_, lines, status) => {
  const { port } = await listeningServer()
  expect(statusesIn(await converse(port, lines))).toEqual([status])
})

test.each([
  ['100 headers', get('connection: close', ...Array<string>(98).fill('a: b'))],
  ['HTTP/1.0', ['GET /v3/open HTTP/1.0', ...END]],
  [
    'chunks with extensions and trailers',
    post('connection: close', 'transfer-encoding: chunked', '', '2;a=b', '{}', '0', 'x: y', ...END),
  ],
  ['an offer of another protocol', get('connection: close, upgrade', 'upgrade: h2c')],
  [
    'an explicit UTF-8 charset',
    post(
      'connection: close',
      'content-type: application/json; charset="UTF-8"',
      'content-length: 2',
      '',
      '{}',
    ),
  ],
])('%s is taken', async (_, lines) => {
  const { port } = await listeningServer()
  expect(statusesIn(await converse(port, lines))).toEqual([200])
})

test('an Authorization header behind a thousand others is not overlooked', async () => {
  const { port } = await listeningServer()
  const { certificate: cert, key } = await authority.issue({ commonName: 'c', usage: CLIENT_AUTH })
  const head = ['GET /v3/agents/a HTTP/1.1', 'host: x', 'connection: close']
  const lines = [...head, ...Array<string>(1500).fill('a:'), 'authorization: Bearer dead', ...END]
  expect(statusesIn(await converse(port, head.concat(END), { cert, key }))).toEqual([200])
  expect(statusesIn(await converse(port, lines, { cert, key }))).toEqual([431])
})

test('requests that come together are answered in their order', async () => {
  const { port } = await listeningServer()
  const lines = [
    ...get(),
    ...['GET /v3/nowhere HTTP/1.1', 'host: x', ...END],
    ...get('connection: close'),
  ]
  expect(
    statusesIn(await converse(port, [lines.join('\r\n').replaceAll('\r\n\r\n\r\n', '\r\n\r\n')])),
  ).toEqual([200, 404, 200])
})

test('garbage after a good request ends the connection, after the answer', async () => {
  const { port } = await listeningServer()
  const lines = [...post('content-length: 2', '', '{}extra bytes'), ...END]
  expect(statusesIn(await converse(port, lines))).toEqual([200])
})

test('100 Continue is sent after authentication', async () => {
  const { port } = await listeningServer()
  const expecting = ['host: x', 'expect: 100-continue', 'content-length: 2', ...END]
  const refused = await converse(port, ['PATCH /v3/agents/a HTTP/1.1', ...expecting])
  expect(statusesIn(refused)).toEqual([403])
  const socket = await connected(port)
  socket.write(['POST /v3/open HTTP/1.1', 'connection: close', ...expecting].join('\r\n'))
  const [first] = await once(socket, 'data')
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  socket.write('{}')
  expect(statusesIn(await text(socket))).toEqual([200])
})

test.each([
  ['no such path', 'PUT /v3/nowhere HTTP/1.1', 404],
  ['an anonymous client', 'PATCH /v3/agents/a HTTP/1.1', 403],
  ['too large', 'POST /v3/open HTTP/1.1', 413],
])(
  'a body for which there is %s is answered, and nothing of it is a request',
  async (_, line, status) => {
    const { port } = await listeningServer()
    const body = get().join('\r\n').repeat(80_000)
    const said = await converse(port, [
      line,
      'host: x',
      `content-length: ${body.length + 1}`,
      '',
      body,
    ])
    expect(statusesIn(said)).toEqual([status])
    expect(said).toContain('connection: close')
  },
)

test.each([
  ['GET', '/v3/open'],
  ['DELETE', '/v3/policies/a'],
])('a body that %s has no use for is not looked at', async (method, url) => {
  const { port } = await listeningServer({ identity: { type: 'admin', name: 'client' } })
  const head = [`${method} ${url} HTTP/1.1`, 'host: x', 'connection: close']
  expect(statusesIn(await converse(port, [...head, 'content-length: 4', '', '{bad']))).toEqual([
    200,
  ])
})

test('only the request method counts, with any override header', async () => {
  const { port } = await listeningServer({ identity: { type: 'admin', name: 'client' } })
  const override = [
    'x-http-method-override: DELETE',
    'x-http-method: DELETE',
    'x-method-override: DELETE',
  ]
  const lines = [
    'POST /v3/policies/a?_method=DELETE HTTP/1.1',
    'host: x',
    'connection: close',
    ...override,
    ...END,
  ]
  expect(statusesIn(await converse(port, lines))).toEqual([405])
})

test.each(requestChecks)('$id has a reason in a clause', ({ why }) => {
  expect(why).toMatch(/^[a-z]/)
})

test('large bodies of anyone share room until they are answered; those of agents have their own', async () => {
  const answers: (() => void)[] = []
  const { port } = await listeningServer({ limits: { publicBodies: 100_000 } }, async () => {
    if (answers.length === 0) await new Promise<void>((answer) => answers.push(answer))
    return { body: {} }
  })
  const body = JSON.stringify('x'.repeat(60_000))
  const send = (line: string, ...headers: readonly string[]) =>
    converse(port, [
      ...[`${line} HTTP/1.1`, 'host: x', 'connection: close', ...headers],
      ...[`content-length: ${body.length}`, '', body],
    ])
  const first = send('POST /v3/open')
  await vi.waitUntil(() => answers.length > 0)
  const refused = await send('POST /v3/open')
  expect(statusesIn(refused)).toEqual([503])
  expect(refused).toMatch(/^retry-after: 5\r$/m)
  expect(statusesIn(await send('PATCH /v3/agents/a', 'authorization: Bearer live'))).toEqual([200])
  answers[0]?.()
  expect(statusesIn(await first)).toEqual([200])
  expect(statusesIn(await send('POST /v3/open'))).toEqual([200])
})
