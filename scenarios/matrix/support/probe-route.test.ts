import { expect, test } from 'vitest'
import { seededRandom } from '../../../conformance/attempt/random.ts'
import type { Reply } from '../../../conformance/attempt/reply.ts'
import { type Place, probeRoute } from './probe-route.ts'

type Answer = readonly [status: number | undefined, text: string]
interface ProbeRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

const STOP: Place = { method: 'PUT', path: '/v2.4/agents/{agent_id}/stop' }
const LIST: Place = { method: 'GET', path: '/v2.4/agents/' }
const KNOWN: Place = { method: 'GET', path: '/v2.4/agents/{agent_id}' }
const credentials = { name: 'admin' }

/** Probes a component that answers like this. Returns the finding and the other requests. */
async function probe(place: Place, answer: (request: ProbeRequest) => Answer) {
  const requests: ProbeRequest[] = []
  const client = {
    get: async (
      path: string,
      { method = 'GET', body }: { method?: string; body?: unknown } = {},
    ) => {
      requests.push({ method, path, body })
      const [status, text] = answer({ method, path, body })
      return { status, text } as Reply
    },
  }
  const parts = { client, credentials, random: seededRandom('seed', 'probe') }
  return { finding: await probeRoute(parts, place, [KNOWN]), requests }
}

const nowhere = (path: string) => path.includes('no-such-path')
/** A component with its own message for an unknown path. */
const withOwnMessage =
  (own: Answer) =>
  ({ path }: ProbeRequest): Answer =>
    nowhere(path) ? [404, 'no such path'] : own

test.each([
  [[200, '{}'], 'served'],
  [[400, 'no body'], 'served'],
  [[404, 'no such agent'], 'served'],
  [[409, ''], 'served'],
  [[403, 'administrators only'], 'served'],
  [[405, ''], 'absent'],
  [[410, ''], 'absent'],
  [[501, ''], 'absent'],
  [[500, ''], 'HTTP 500 for the route, HTTP 404 for a path that does not exist'],
  [
    [undefined, ''],
    'no HTTP answer (connection ended) for the route, HTTP 404 for a path that does not exist',
  ],
] as const)('own answer %j compared with an unknown path is %s', async (own, finding) => {
  expect((await probe(STOP, withOwnMessage(own))).finding).toBe(finding)
})

test('a 404 that repeats the path equals any other 404 with the same message', async () => {
  const echo = ({ path }: ProbeRequest): Answer => [404, `no ${path}`]
  expect((await probe(LIST, echo)).finding).toBe('absent')
})

test('a component that distinguishes unknown resources lacks a route whose answer is that of an unknown path', async () => {
  const readsAgents = ({ method, path }: ProbeRequest): Answer =>
    method === 'GET' && /agents\/[^/]+$/.test(path) ? [404, 'no such agent'] : [404, 'no path']
  expect((await probe(STOP, readsAgents)).finding).toBe('absent')
})

test('nothing is proven about a component with one message for everything', async () => {
  expect((await probe(STOP, () => [404, ''])).finding).toBe('unclear')
  expect((await probe(LIST, () => [404, ''])).finding).toBe('absent')
})

test('an invalid id can reveal a route', async () => {
  const strict = ({ path }: ProbeRequest): Answer =>
    path.includes('not%20an%20id') && !nowhere(path) ? [400, ''] : [404, '']
  expect((await probe(STOP, strict)).finding).toBe('served')
})

test.each([401, 403])(
  'a component that answers %s to everything proves nothing',
  async (status) => {
    expect((await probe(LIST, () => [status, ''])).finding).toBe('unclear')
  },
)

test('a probe identifies no client and its body carries no data', async () => {
  const { requests } = await probe(STOP, () => [404, ''])
  const [first] = requests
  expect(first?.path).toMatch(/^\/v2\.4\/agents\/[0-9a-f-]{36}\/stop$/)
  for (const { method, body } of requests) {
    if (method === 'GET') expect(body).toBeUndefined()
    else expect(() => JSON.parse(String(body))).toThrow(SyntaxError)
  }
})

test.each([
  ['/v3/', '/v3/assay-no-such-path'],
  ['/', '/assay-no-such-path'],
  ['/v3/agents/', '/v3/assay-no-such-path/'],
  ['/verify/evidence', '/verify/assay-no-such-path'],
])('the control path for %s is %s', async (path, other) => {
  const { requests } = await probe({ method: 'GET', path }, () => [404, ''])
  expect(requests[1]?.path).toBe(other)
})

test('the control path for the latest of a list is not an element of that list', async () => {
  const path = '/v3/agents/{agent_id}/attestations/latest'
  const { requests } = await probe({ method: 'GET', path }, () => [404, ''])
  expect(requests[1]?.path).toMatch(/\/assay-no-such-path\/latest$/)
})
