import nock from 'nock'
import { expect, test } from 'vitest'
import {
  AGENT,
  REGISTRAR,
  stubServers,
  tenant,
  VERIFIER,
  VERSIONS,
} from './testing/stub-servers.ts'

stubServers()

test.each([
  [
    'cvlist',
    VERIFIER,
    '/v2.5/agents?verifier=one',
    { uuids: [['a'], ['b']] },
    { agents: ['a', 'b'] },
  ],
  ['cvlist', VERIFIER, '/v2.5/agents?verifier=one', { uuids: ['a'] }, { agents: ['a'] }],
  [
    'bulkinfo',
    VERIFIER,
    '/v2.5/agents?bulk=True&verifier=one',
    { a: { v: null, ip: 'x' } },
    { agents: { a: { has_v: false, ip: 'x' } } },
  ],
] as const)(
  '%s asks upstream’s route, of one verifier where it is named',
  async (command, base, path, results, result) => {
    const scope = nock(base).get('/version').reply(200, VERSIONS).get(path).reply(200, { results })
    const { sayJson } = await tenant()
    expect(await sayJson(command, '-vi', 'one')).toMatchObject({ outcome: 'done', result })
    expect(scope.isDone()).toBe(true)
  },
)

test.each([
  ['reglist', REGISTRAR, '/v2.5/agents/', { uuids: [1] }],
  ['cvlist', VERIFIER, '/v2.5/agents', {}],
  ['bulkinfo', VERIFIER, '/v2.5/agents?bulk=True', { a: 'x' }],
  ['listmbpolicies', VERIFIER, '/v2.5/mbpolicies', { names: [] }],
])('%s does not take another shape for an answer', async (command, base, path, results) => {
  const scope = nock(base).get('/version').reply(200, VERSIONS).get(path).reply(200, { results })
  const { sayJson } = await tenant()
  expect(await sayJson(command)).toMatchObject({ outcome: 'fault', code: 'nonsense' })
  expect(scope.isDone()).toBe(true)
})

/** A verifier that takes the order to delete the agent, for which there is a path. */
function deleting() {
  const path = `/v2.5/agents/${AGENT}`
  const asked = nock(VERIFIER).get('/version').reply(200, VERSIONS)
  return { path, scope: asked.delete(path).reply(202, { results: {} }) }
}

test('a deletion that is accepted is waited for, until the agent is gone', async () => {
  const { path, scope } = deleting()
  scope.get(path).reply(200, { results: {} }).get(path).reply(404, {})
  const { say, pauses } = await tenant()
  expect(await say('delete')).toMatchObject({ code: 0 })
  expect(pauses).toEqual([0, 2000])
  expect(scope.isDone()).toBe(true)
})

test('an agent that is not deleted in time is reported', async () => {
  const { path, scope } = deleting()
  scope.get(path).times(2).reply(200, { results: {} })
  const { sayJson } = await tenant('max_retries=1')
  expect(await sayJson('delete')).toMatchObject({ code: 'timeout' })
  expect(scope.isDone()).toBe(true)
})

test('a deletion without a body is one', async () => {
  const path = '/v2.5/mbpolicies/p'
  const scope = nock(VERIFIER).get('/version').reply(200, VERSIONS).delete(path).reply(204)
  const { say } = await tenant()
  expect(await say('deletembpolicy', '--mb-policy-name', 'p')).toMatchObject({ code: 0 })
  expect(scope.isDone()).toBe(true)
})

test('upstream’s plain JSON of a policy is shown like the base64 of the document', async () => {
  const path = '/v2.5/allowlists/p'
  const scope = nock(VERIFIER).get('/version').reply(200, VERSIONS)
  scope.get(path).reply(200, { results: { runtime_policy: '{"meta":1}' } })
  const { say } = await tenant()
  expect((await say('showruntimepolicy', '--runtime-policy-name', 'p')).out).toBe('{"meta":1}\n')
  expect(scope.isDone()).toBe(true)
})
