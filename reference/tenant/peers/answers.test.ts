import nock from 'nock'
import { expect, test } from 'vitest'
import { FAULT_CODES } from '../tenant-fault.ts'
import { AGENT, stubServers, tenant, VERIFIER, VERSIONS } from '../testing/stub-servers.ts'
import { answerProblems } from './answer-problems.ts'

stubServers()

/** A verifier whose answer to the status of the agent is played. */
function verifierSaying(play: (asked: nock.Interceptor) => unknown): nock.Scope {
  const scope = nock(VERIFIER).get('/version').reply(200, VERSIONS)
  play(scope.get(`/v2.5/agents/${AGENT}`))
  return scope
}

const failing = (code: string) => (asked: nock.Interceptor) =>
  asked.replyWithError(Object.assign(new Error('as played'), { code }))

const saying = (status: number, body: nock.Body) => (asked: nock.Interceptor) =>
  asked.reply(status, body)

/** A stub reply, and the tenant's error for it. */
const ANSWERS: readonly [string, (asked: nock.Interceptor) => unknown, number, string, RegExp][] = [
  [
    'no server listens',
    failing('ECONNREFUSED'),
    2,
    'unreachable',
    /cannot be reached \(ECONNREFUSED\)/,
  ],
  ['no such host', failing('ENOTFOUND'), 2, 'unreachable', /cannot be reached/],
  [
    'a certificate of another CA',
    failing('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    2,
    'other_certificate',
    /not trusted here/,
  ],
  [
    'a self-signed one',
    failing('DEPTH_ZERO_SELF_SIGNED_CERT'),
    2,
    'other_certificate',
    /not trusted/,
  ],
  ['another name', failing('ERR_TLS_CERT_ALTNAME_INVALID'), 2, 'other_certificate', /not trusted/],
  ['an expired one', failing('CERT_HAS_EXPIRED'), 2, 'other_certificate', /not trusted/],
  ['no TLS', failing('ERR_SSL_WRONG_VERSION_NUMBER'), 2, 'no_tls', /does not speak TLS/],
  [
    'our certificate refused',
    failing('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    2,
    'certificate_refused',
    /does not take our certificate/,
  ],
  ['a reset', failing('ECONNRESET'), 2, 'broken_off', /broke off/],
  [
    '400',
    saying(400, { code: 400, status: 'bad id', results: {} }),
    1,
    'refused',
    /refuses to show agent .*: bad id/,
  ],
  [
    '401',
    saying(401, { code: 401, status: 'who?', results: {} }),
    1,
    'not_authenticated',
    /does not know who we are: who\?/,
  ],
  [
    '403',
    saying(403, { code: 403, status: 'no', results: {} }),
    1,
    'not_authorized',
    /does not let this certificate show agent/,
  ],
  ['404', saying(404, { code: 404, status: 'no', results: {} }), 1, 'not_found', /has no agent/],
  [
    '409',
    saying(409, { code: 409, status: 'taken', results: {} }),
    1,
    'conflict',
    /does not show agent .*: taken/,
  ],
  [
    '410',
    saying(410, { code: 410, status: 'Gone', results: {} }),
    1,
    'refused',
    /refuses .*: Gone/,
  ],
  ['500', saying(500, 'oops'), 2, 'server_error', /failed at it \(HTTP 500\): HTTP 500/],
  [
    '502',
    saying(502, { code: 502, status: 'far away', results: {} }),
    2,
    'server_error',
    /far away/,
  ],
  ['a redirect', saying(302, ''), 2, 'redirected', /sends us elsewhere \(HTTP 302\)/],
  ['HTML', saying(200, '<html>'), 2, 'no_json', /no JSON/],
  ['nothing', saying(200, ''), 2, 'no_json', /no JSON/],
  ['a list', saying(200, '[]'), 2, 'nonsense', /no envelope/],
  ['results that are text', saying(200, { results: 'ok' }), 2, 'nonsense', /no envelope/],
]

test.each(ANSWERS)('for %s the error is a sentence', async (_, play, code, name, sentence) => {
  const scope = verifierSaying(play)
  const { say } = await tenant()
  const said = await say('cvstatus', '--json')
  expect(JSON.parse(said.out)).toMatchObject({
    outcome: code === 1 ? 'refused' : 'fault',
    code: name,
    sentence: expect.stringMatching(sentence),
    next: expect.stringMatching(/\S/),
  })
  expect(said.code).toBe(code)
  expect(scope.isDone()).toBe(true)
})

test('an answer that is good differs from those in its body alone', async () => {
  const scope = verifierSaying(saying(200, { results: { operational_state: 3, v: 'c2VjcmV0' } }))
  const { sayJson } = await tenant()
  const verifier = { operational_state: 3, has_v: true }
  expect(await sayJson('cvstatus')).toMatchObject({ result: { agent_id: AGENT, verifier } })
  expect(scope.isDone()).toBe(true)
})

test('an answer that does not come is not waited for', async () => {
  const scope = verifierSaying((asked) => asked.delay(5000).reply(200, {}))
  const { say } = await tenant('request_timeout=1')
  expect((await say('cvstatus')).err).toMatch(/does not answer \(no answer within 1000 ms\)/)
  expect(scope.isDone()).toBe(true)
})

test('these cases cover every row of the table', async () => {
  const covered = new Set([...ANSWERS.map(([, , , name]) => name), 'timeout', 'too_large'])
  expect(answerProblems.map(({ code }) => code).filter((code) => !covered.has(code))).toEqual([])
  expect(FAULT_CODES).toEqual(expect.arrayContaining([...covered]))
})

test('text from a server cannot control the terminal', async () => {
  const scope = verifierSaying(saying(400, { status: '\u001b[2Jgone', results: {} }))
  const { say } = await tenant()
  expect((await say('cvstatus')).err).toContain('\\u{1b}[2Jgone')
  expect(scope.isDone()).toBe(true)
})

test('a verifier that is busy is asked again, after longer and longer waits', async () => {
  const scope = nock(VERIFIER).get('/version').reply(200, VERSIONS)
  const path = `/v2.5/agents/${AGENT}`
  scope.get(path).times(2).reply(503).get(path).reply(200, { results: {} })
  const { say, pauses } = await tenant()
  expect(await say('cvstatus')).toMatchObject({ code: 0 })
  expect(pauses).toEqual([2000, 4000])
  expect(scope.isDone()).toBe(true)
})

test('one that stays busy is given up', async () => {
  const scope = nock(VERIFIER).get('/version').times(3).reply(503)
  const { say, pauses } = await tenant('max_retries=2', 'exponential_backoff=False')
  expect(await say('cvstatus')).toMatchObject({ code: 2 })
  expect(pauses).toEqual([2000, 2000])
  expect(scope.isDone()).toBe(true)
})

test('JSON output matches its schema, after success and failure', async () => {
  const scope = verifierSaying(saying(404, {}))
  const { sayJson } = await tenant()
  // Every JSON that a test reads is held against the schema.
  expect(await sayJson('cvstatus')).toMatchObject({ schema: 'assay.tenant/1', outcome: 'refused' })
  expect(scope.isDone()).toBe(true)
})
