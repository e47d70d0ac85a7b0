import nock from 'nock'
import { expect, test } from 'vitest'
import { REGISTRAR, stubServers, tenant } from '../testing/stub-servers.ts'

stubServers()

test.each([
  ['the newest that both have', { supported_versions: ['1.0', '2.3', '2.4'] }, '/v2.4'],
  ['none of 3.0, which has no such routes', { supported_versions: ['2.2', '3.0'] }, '/v2.2'],
  ['the only one that is named', { supported_version: '2.1' }, '/v2.1'],
  [
    'the list before the single one',
    { supported_version: '2.1', supported_versions: ['2.5'] },
    '/v2.5',
  ],
])('the version is %s', async (_, results, prefix) => {
  const scope = nock(REGISTRAR).get('/version').reply(200, { results })
  scope.get(`${prefix}/agents/`).reply(200, { results: { uuids: [] } })
  const { say } = await tenant()
  expect(await say('reglist')).toMatchObject({ code: 0, out: 'no agents\n' })
  expect(scope.isDone()).toBe(true)
})

test.each([
  [404, '/v2.1'],
  [410, '/v2.5'],
])(
  'of a server that answers %i to the question for its versions, it is %s',
  async (status, prefix) => {
    const scope = nock(REGISTRAR).get('/version').reply(status, {})
    scope.get(`${prefix}/agents/`).reply(200, { results: { uuids: ['a'] } })
    const { sayJson } = await tenant()
    expect(await sayJson('reglist')).toMatchObject({ result: { agents: ['a'] } })
    expect(scope.isDone()).toBe(true)
  },
)

test.each([
  [{ supported_versions: ['3.0'] }, 'no_common_version'],
  [{ supported_versions: '2.5' }, 'nonsense'],
  [{}, 'nonsense'],
])('versions like %j are reported as %s', async (results, code) => {
  const scope = nock(REGISTRAR).get('/version').reply(200, { results })
  const { sayJson } = await tenant()
  expect(await sayJson('reglist')).toMatchObject({ code })
  expect(scope.isDone()).toBe(true)
})
