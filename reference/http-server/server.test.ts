import { expect, test } from 'vitest'
import { AS_AGENT, testServer } from '../dev/testing/test-server.ts'
import { ApiError } from '../errors.ts'

const { server } = testServer()

function fail(): never {
  throw new Error('the operation was called')
}

const GOOD = { method: 'GET', url: '/v3/agents/a', headers: AS_AGENT } as const

test('an operation sees version, parameters and identity', async () => {
  const reply = await server.inject(GOOD)
  expect(reply.json()).toEqual({
    code: 200,
    status: 'Success',
    results: {
      params: { agent_id: 'a' },
      version: '3.0',
      identity: { type: 'agent', agentId: 'a' },
    },
  })
})

test.each([
  '/v3.0/agents/a',
  '/v3/agents/a/',
  '/v3.0/agents/a/',
  '/v3/agents/a?x=1',
  '/v3/agents/%61',
])('%s is the same path', async (url) => {
  const reply = await server.inject({ ...GOOD, url })
  expect(reply.json().results.params).toEqual({ agent_id: 'a' })
})

const asked = testServer(({ query }) => ({ body: { query } })).server

test.each<[string, string, unknown]>([
  ['a plus sign is a blank unless it is percent-encoded', 'a=1+2%2B3%20', { a: '1 2+3 ' }],
  ['a name given twice is a list', 'a=1&a=2', { a: ['1', '2'] }],
  ['a name without a value is empty', 'a&b=', { a: '', b: '' }],
  ['an invalid percent-encoding is left as it is', 'a=%zz', { a: '%zz' }],
  ['no name is that of an inherited member', 'toString=1', { toString: '1' }],
])('of a query %s', async (_, text, query) => {
  const reply = await asked.inject({ ...GOOD, url: `/v3/agents/a?${text}` })
  expect(reply.json().results).toEqual({ query })
})

test.each([
  '//v3/agents/a',
  '/V3/agents/a',
  '/v3.00/agents/a',
  '/v3/agents//a',
  '/v3/agents',
  '/v3/agents/',
  '/agents/a',
  '/v2.9/agents/a',
])('%s is no path', async (url) => {
  const reply = await server.inject({ ...GOOD, url })
  expect([reply.statusCode, reply.json()]).toEqual([
    404,
    { code: 404, status: 'No such path.', results: {} },
  ])
})

test.each(['PUT', 'POST', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])(
  '%s on a path of other methods is 405 and names them',
  async (method) => {
    const reply = await server.inject({ ...GOOD, method: method as 'PUT' })
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, 'GET, PATCH'])
  },
)

test.each([
  ['an unknown path', '/v3/nowhere', 404],
  ['a wrong method', '/v3/agents/a', 405],
])('%s is answered before the body is read', async (_, url, status) => {
  const payload = `{${'x'.repeat(3_000_000)}`
  const headers = { 'content-type': 'application/json' }
  const reply = await server.inject({ method: 'PUT', url, payload, headers })
  expect(reply.statusCode).toBe(status)
})

test('an identity is refused before its body is read', async () => {
  const payload = 'x'.repeat(3_000_000)
  const reply = await server.inject({ method: 'PATCH', url: '/v3/agents/a', payload })
  expect(reply.statusCode).toBe(403)
})

test.each([
  ['a newline', 'a%0Ab'],
  ['a NUL', 'a%00'],
  ['a slash', 'a%2Fb'],
  ['a semicolon', 'a;b'],
  ['a prototype name', '__proto__'],
  ['a blank', 'a%20b'],
  ['81 characters', 'x'.repeat(81)],
])(
  'an agent id with %s is refused before an operation sees it, and not repeated',
  async (_, id) => {
    const { server: asAdmin } = testServer(fail, { identity: { type: 'admin', name: 'client' } })
    const reply = await asAdmin.inject({ method: 'GET', url: `/v3/agents/${id}` })
    expect(reply.statusCode).toBe(400)
    expect(reply.body).not.toContain(decodeURIComponent(id))
  },
)

test('a policy name with an escape sequence is refused before an operation sees it', async () => {
  const { server: asAdmin } = testServer(fail, { identity: { type: 'admin', name: 'client' } })
  const reply = await asAdmin.inject({ method: 'DELETE', url: '/v3/policies/a%1B%5B31m' })
  expect([reply.statusCode, reply.json().status]).toEqual([
    400,
    'name: 255 visible characters at the most, and no slash',
  ])
})

test.each([
  ['half an escape', '%zz', 'The path is not percent-encoded UTF-8.'],
  ['bytes that are no UTF-8', '%ff', 'The path is not percent-encoded UTF-8.'],
  ['2000 characters', 'x'.repeat(2000), 'A segment of the path is too long.'],
])('a segment with %s is refused with 400 in the envelope', async (_, id, status) => {
  const reply = await server.inject({ ...GOOD, url: `/v3/agents/${id}` })
  expect(reply.json()).toEqual({ code: 400, status, results: {} })
})

test('a parameter called like a member of the prototype is a parameter', async () => {
  const { server: asAdmin } = testServer(undefined, { identity: { type: 'admin', name: 'client' } })
  const reply = await asAdmin.inject({ method: 'GET', url: '/v3/agents/constructor' })
  expect(reply.json().results.params).toEqual({ agent_id: 'constructor' })
})

test('members called __proto__ and constructor stay members', async () => {
  const payload = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
  const reply = await server.inject({ method: 'POST', url: '/v3/open', payload })
  expect(reply.body).toContain('"__proto__":{"polluted":true}')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

const JSON_TYPES = ['application/json', 'application/vnd.api+json', 'text/plain', undefined]

test.each(JSON_TYPES)('a body sent as %s is read as JSON', async (type) => {
  const headers = type === undefined ? {} : { 'content-type': type }
  const reply = await server.inject({
    method: 'POST',
    url: '/v3/open',
    payload: '{"a":1}',
    headers,
  })
  expect(reply.json().body).toEqual({ a: 1 })
})

test('a broken body on a document path is refused in the document form', async () => {
  const reply = await server.inject({ method: 'POST', url: '/v3/open', payload: '{bad' })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([
    400,
    'application/vnd.api+json',
  ])
  expect(reply.json()).toEqual({
    errors: [
      {
        status: '400',
        code: 'malformed_request',
        title: 'Bad Request',
        detail: 'The request body is not JSON.',
      },
    ],
  })
})

test('a broken body on an envelope path is refused in the envelope', async () => {
  const reply = await server.inject({ method: 'POST', url: '/v3/evaluate', payload: '{bad' })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([400, 'application/json'])
  expect(reply.json()).toEqual({ code: 400, status: 'The request body is not JSON.', results: {} })
})

function bodyOf(bytes: number): string {
  return JSON.stringify('x'.repeat(bytes - 2))
}

test.each([
  ['a stranger, a message', 'POST', '/v3/open', 512 * 1024],
  ['an agent, logs', 'PATCH', '/v3/agents/a', 2_000_000],
] as const)(
  '%s: the largest body is taken, one byte more is refused with 413',
  async (_, method, url, limit) => {
    const headers = { ...AS_AGENT, 'content-type': 'application/json' }
    const send = (bytes: number) => server.inject({ method, url, headers, payload: bodyOf(bytes) })
    expect((await send(limit)).statusCode).toBe(200)
    expect((await send(limit + 1)).statusCode).toBe(413)
  },
)

test('a stranger may send 16 MiB of logs, however much an agent may', async () => {
  const { server: roomy } = testServer(() => ({}), { maxUploadSize: 104_857_600 })
  const limit = 16 * 1024 * 1024
  const send = (bytes: number) =>
    roomy.inject({ method: 'POST', url: '/v3/evaluate', payload: bodyOf(bytes) })
  expect((await send(limit)).statusCode).toBe(200)
  expect((await send(limit + 1)).statusCode).toBe(413)
})

test('an exception is a 500 without details, and is logged', async () => {
  const broken = testServer(() => {
    throw new TypeError('the secret of the operation')
  })
  const reply = await broken.server.inject(GOOD)
  expect(reply.json()).toEqual({
    code: 500,
    status: 'The request could not be served.',
    results: {},
  })
  expect(broken.logged()).toContain('the secret of the operation')
})

test('a refusal has its status in the envelope and on the line', async () => {
  const refusing = testServer(() => {
    throw new ApiError('conflict', 'It is there already.')
  })
  const reply = await refusing.server.inject(GOOD)
  expect([reply.statusCode, reply.json()]).toEqual([
    409,
    { code: 409, status: 'It is there already.', results: {} },
  ])
})

test('a refusal in the document form points at the member', async () => {
  const refusing = testServer(() => {
    throw new ApiError('invalid_resource_data', 'It is wrong.', { pointer: '/data/type' })
  })
  const reply = await refusing.server.inject({ method: 'POST', url: '/v3/open', payload: '{}' })
  expect(reply.json().errors[0]).toMatchObject({ status: '422', source: { pointer: '/data/type' } })
})

test('an answer has the status and headers the operation gave it', async () => {
  const created = testServer(() => ({ status: 201, headers: { location: '/v3/x' }, body: 1 }))
  const reply = await created.server.inject(GOOD)
  expect([reply.statusCode, reply.headers.location]).toEqual([201, '/v3/x'])
  expect(reply.json()).toEqual({ code: 201, status: 'Success', results: 1 })
})

test('work for afterwards runs after the answer', async () => {
  const events: string[] = []
  const late = testServer(() => ({ afterwards: () => events.push('work') }))
  const reply = await late.server.inject(GOOD)
  await expect.poll(() => events).toEqual(['work'])
  expect(reply.statusCode).toBe(200)
})

test('no answer is kept by a cache: some hold tokens', async () => {
  expect((await server.inject(GOOD)).headers['cache-control']).toBe('no-store')
})

test.each([
  ['no credential', {}, 403, undefined],
  ['a dead token', { authorization: 'Bearer dead' }, 401, 'Bearer'],
  ['an empty Authorization header', { authorization: '' }, 401, 'Bearer'],
  ['Basic', { authorization: 'Basic YTpi' }, 401, 'Bearer'],
])('%s is refused; a 401 names the scheme', async (_, headers, status, scheme) => {
  const reply = await server.inject({ ...GOOD, headers })
  expect([reply.statusCode, reply.headers['www-authenticate']]).toEqual([status, scheme])
})

test('a dead token does not stand in the way of a public action', async () => {
  const headers = { authorization: 'Bearer dead' }
  expect((await server.inject({ method: 'GET', url: '/v3/open', headers })).statusCode).toBe(200)
})

test('a provider that fails denies, and the reply has no details', async () => {
  const allows = () => {
    throw new Error('the directory is away')
  }
  const failing = testServer(undefined, { authorization: { name: 'odd', allows } })
  const reply = await failing.server.inject({ method: 'GET', url: '/v3/open' })
  expect([reply.statusCode, reply.body.includes('directory')]).toEqual([403, false])
  expect(failing.logged()).toContain('the directory is away')
})

test('the query is not read: a token there is ignored', async () => {
  const url = '/v3/agents/a?access_token=live&authorization=Bearer%20live'
  expect((await server.inject({ method: 'GET', url })).statusCode).toBe(403)
})

test('neither Authorization nor a body ever reaches the log', async () => {
  const watched = testServer(() => {
    throw new Error('fault')
  })
  const headers = { authorization: 'Bearer live' }
  const payload = '{"v":"keykeykey"}'
  await watched.server.inject({ method: 'PATCH', url: '/v3/agents/a', headers, payload })
  await watched.server.inject({ ...GOOD, headers: { authorization: 'Basic c2VjcmV0' } })
  expect(watched.logged()).toContain('/v3/agents/a')
  expect(watched.logged()).not.toMatch(/live|c2VjcmV0|keykeykey/)
})

test('no query reaches the log, but its path does', async () => {
  const watched = testServer()
  for (const query of ['?token=keykeykey', '?a=1#keykeykey', '#keykeykey'])
    await watched.server.inject({ method: 'GET', url: `/v3/open${query}` })
  expect(watched.logged()).toContain('"url":"/v3/open"')
  expect(watched.logged()).not.toContain('keykeykey')
})

test('a refusal that any client may cause is logged without a stack, a fault with it', async () => {
  const full = testServer(() => {
    throw new ApiError('evaluations_full', 'Too many evaluations wait; ask again.')
  })
  expect((await full.server.inject(GOOD)).statusCode).toBe(503)
  expect(full.logged()).toContain('evaluations_full')
  expect(full.logged()).not.toContain('"stack"')
  const away = testServer(() => {
    const cause = new Error('connection lost')
    throw new ApiError('database_unavailable', 'The database does not answer now.', { cause })
  })
  expect((await away.server.inject(GOOD)).statusCode).toBe(503)
  expect(away.logged()).toMatch(/"stack":.*connection lost/)
})
