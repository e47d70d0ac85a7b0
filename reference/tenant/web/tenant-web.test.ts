import { expect, test } from 'vitest'
import { AGENT_ID } from '../testing/stub-agent.ts'
import { AGENT, IP, webScene } from '../testing/web-scene.ts'

const UNKNOWN = '/v2/agents/d432fbb3-d2f1-4a97-9ef7-75bd81c00001'

test('the list has the agents that the registrar knows', async () => {
  const { web } = await webScene()
  expect(await web('/v2/agents/')).toMatchObject({ status: 200, results: { uuids: [AGENT_ID] } })
})

test('an agent is registered, then added, stopped, reactivated and deleted', async () => {
  const { web, agent } = await webScene()
  const record = async () => (await web(AGENT)).results
  const change = async (method: string, path = AGENT, body?: object) =>
    (await web(path, { method, body })).status
  expect(await record()).toMatchObject({ added: false, state: 'registered', port: agent.port })
  expect(await change('POST', AGENT, IP)).toBe(200)
  expect(await record()).toMatchObject({ added: true, ip: '127.0.0.1', agent_id: AGENT_ID })
  expect(await change('PUT', `${AGENT}/stop`)).toBe(200)
  expect(await record()).toMatchObject({ added: true, state: 'tenant_failed' })
  expect(await change('PUT')).toBe(200)
  expect(await record()).not.toMatchObject({ state: 'tenant_failed' })
  expect(await change('DELETE')).toBe(200)
  expect(await record()).toMatchObject({ added: false, state: 'registered' })
})

test('no record has the half of a key', async () => {
  const { web } = await webScene()
  await web(AGENT, { method: 'POST', body: IP })
  const { results } = await web(AGENT)
  expect(Object.keys(results)).toContain('operational_state')
  expect(Object.keys(results)).not.toContain('v')
})

test.each([
  ['GET', UNKNOWN, 404, 'the registrar at 127.0.0.1:PORT has no agent ID'],
  ['PUT', UNKNOWN, 404, 'the verifier at 127.0.0.1:PORT has no agent ID'],
  ['PUT', `${UNKNOWN}/stop`, 404, 'the verifier at 127.0.0.1:PORT has no agent ID'],
  ['DELETE', UNKNOWN, 404, 'the verifier at 127.0.0.1:PORT has no agent ID'],
  ['POST', UNKNOWN, 404, 'the registrar at 127.0.0.1:PORT has no agent ID'],
])('%s of an unknown agent has the status of that, and one sentence', async (...row) => {
  const [method, path, status, sentence] = row
  const { web } = await webScene()
  const answer = await web(path, { method, ...(method === 'POST' && { body: IP }) })
  expect(answer).toMatchObject({ status })
  expect(plain(answer.says)).toBe(sentence)
})

const plain = (sentence: string) =>
  sentence.replace(/:\d{4,5}\b/, ':PORT').replace(/[0-9a-f-]{36}/, 'ID')

test('a second addition of an agent is a conflict, and the first stays', async () => {
  const { web, status } = await webScene()
  await web(AGENT, { method: 'POST', body: IP })
  const { v } = await status()
  expect(await web(AGENT, { method: 'POST', body: IP })).toMatchObject({ status: 409 })
  expect(await status()).toMatchObject({ v })
})

test('an agent that does not prove itself is not added, and the sentence says why', async () => {
  const { web } = await webScene([], { nonce: 'another' })
  const answer = await web(AGENT, { method: 'POST', body: IP })
  expect(answer).toMatchObject({ status: 422, says: expect.stringMatching(/nonce/) })
  expect((await web(AGENT)).results).toMatchObject({ added: false })
})

test('servers that are down are reported in one sentence', async () => {
  const { web } = await webScene(['registrar_port=1'])
  expect(await web('/v2/agents/')).toMatchObject({
    status: 503,
    says: expect.stringMatching(/^the registrar at 127\.0\.0\.1:1 /),
  })
})

test('of two changes of an agent at once the second is a conflict', async () => {
  const { web } = await webScene()
  const add = () => web(AGENT, { method: 'POST', body: IP })
  const statuses = (await Promise.all([add(), add()])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 409])
})

test('the page, its style and its script are files that load nothing from elsewhere', async () => {
  const { web } = await webScene()
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/page.css', 'text/css'],
    ['/page.js', 'text/javascript'],
  ] as const) {
    const { status, headers, text } = await web(path)
    expect({ path, status, type: headers['content-type'] }).toEqual({
      ...{ path, status: 200, type: `${type}; charset=utf-8` },
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*script-src 'self'/)
    expect(text).not.toMatch(/https?:|onclick=|style=|<script>/)
  }
})

test.each(['/page', '/page.html', '/v2', '/v3.0/agents/', '/../package.json', '/v2/agents/x/y'])(
  '%s is not served',
  async (path) => {
    const { web } = await webScene()
    expect(await web(path)).toMatchObject({ status: 404 })
  },
)
