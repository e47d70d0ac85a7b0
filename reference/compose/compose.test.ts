import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { REGISTRATION } from '../dev/testing/test-registrar.ts'
import { AGENT, AK, agentRequest } from '../dev/testing/verifier/push-requests.ts'
import { main } from '../main.ts'
import type { Component } from './component.ts'
import { composeRegistrar } from './compose-registrar.ts'
import { composeVerifier } from './compose-verifier.ts'
import { SHIPPED_PARTS } from './parts.ts'

const QUIET = ['log_level=silent', 'port=0']

function verifierIn(state_dir: string): Promise<Component> {
  const settings = [...QUIET, `state_dir=${state_dir}`]
  return composeVerifier(loadConfig('verifier', undefined, settings), SHIPPED_PARTS)
}

async function both(
  ...more: readonly string[]
): Promise<{ verifier: Component; registrar: Component }> {
  const state_dir = temporaryDirectory()
  const verifier = await verifierIn(state_dir)
  const settings = [...QUIET, `state_dir=${state_dir}`, ...more]
  const config = loadConfig('registrar', undefined, settings)
  const registrar = await composeRegistrar(config, SHIPPED_PARTS)
  onTestFinished(async () => {
    await verifier.close()
    await registrar.close()
  })
  return { verifier, registrar }
}

test('the registrar uses the CA that the verifier made', async () => {
  const { verifier, registrar } = await both()
  for (const { server } of [verifier, registrar]) {
    const reply = await server.inject({ method: 'GET', url: '/version' })
    expect(reply.json()).toEqual({
      code: 200,
      status: 'Success',
      results: {
        current_version: '2.5',
        supported_versions: ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0'],
      },
    })
  }
})

test.each(['/', '/v3/', '/v3.0', '/versions'])('%s answers at both', async (url) => {
  const { verifier, registrar } = await both()
  for (const { server } of [verifier, registrar]) {
    expect((await server.inject({ method: 'GET', url })).statusCode).toBe(200)
  }
})

test('the registrar has no port without TLS unless it is given one', async () => {
  expect((await both()).registrar.plain).toBeUndefined()
})

test.each([
  ['GET', '/version', 200],
  ['GET', '/v3.0/', 200],
  ['POST', '/v3.0/agents', 400],
  ['POST', '/v2.5/agents/a', 400],
  ['PUT', '/v2.5/agents/a/activate', 400],
  ['POST', '/v3.0/agents/a/activate', 400],
  ['GET', '/v2.5/agents', 404],
  ['GET', '/v3.0/agents', 405],
  ['GET', '/v2.5/agents/a', 405],
  ['DELETE', '/v2.5/agents/a', 405],
  ['GET', '/v3.0/agents/a', 404],
  ['DELETE', '/v3.0/agents/a', 404],
] as const)('without TLS %s %s is answered with %i', async (method, url, status) => {
  const { plain } = (await both('http_port=0')).registrar
  const reply = await plain?.inject({ method, url, payload: {} })
  expect(reply?.statusCode).toBe(status)
})

test('an agent that registered without TLS is known with TLS', async () => {
  const { server, plain } = (await both('http_port=0')).registrar
  const body = JSON.stringify({ ...REGISTRATION, agent_id: AGENT })
  const url = await plain?.listen({ host: '127.0.0.1', port: 0 })
  expect(url).toMatch(/^http:/)
  const reply = await fetch(`${url}/v3.0/agents/`, { method: 'POST', body })
  expect(reply.status).toBe(200)
  const activation = { method: 'POST', url: `/v3.0/agents/${AGENT}/activate` } as const
  const refusal = await server.inject({ ...activation, payload: { auth_tag: 'x' } })
  expect(refusal.statusCode).toBe(400)
})

test('the records of the registrar are for administrators, and tokens are not accepted there', async () => {
  const { server } = (await both()).registrar
  for (const [headers, status] of [
    [{}, 403],
    [{ authorization: 'Bearer a.b' }, 401],
  ] as const) {
    for (const url of ['/v3/agents', '/v3/agents/a', '/v2.5/agents/a']) {
      const list = await server.inject({ method: 'GET', url, headers })
      expect([url, list.statusCode]).toEqual([url, status])
    }
    const removal = await server.inject({ method: 'DELETE', url: '/v3/agents/a', headers })
    expect(removal.statusCode).toBe(status)
  }
})

test('a refused client does not learn which agents exist', async () => {
  const { server } = (await both()).verifier
  const ask = (id: string) => server.inject({ method: 'GET', url: `/v2.5/agents/${id}` })
  expect((await ask(AGENT)).body).toBe((await ask('other')).body)
})

test('a state directory serves one start after another', async () => {
  const state_dir = join(temporaryDirectory(), 'state')
  await (await verifierIn(state_dir)).close()
  const ca = readFileSync(join(state_dir, 'cv_ca', 'cacert.crt'), 'utf8')
  await (await verifierIn(state_dir)).close()
  expect(readFileSync(join(state_dir, 'cv_ca', 'cacert.crt'), 'utf8')).toBe(ca)
})

test('an add-agent request of a stranger adds no agent', async () => {
  const { server } = (await both()).verifier
  const payload = agentRequest() as object
  const reply = await server.inject({ method: 'POST', url: `/v2.5/agents/${AGENT}`, payload })
  expect([reply.statusCode, reply.json().status]).toEqual([
    403,
    'Action create_agent is not allowed for anonymous.',
  ])
})

test('the error for a busy port says what to do', async () => {
  const busy = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void busy.close())
  await once(busy, 'listening')
  const { port } = busy.address() as AddressInfo
  const state_dir = join(temporaryDirectory(), 'state')
  const settings = ['log_level=silent', `port=${port}`, `state_dir=${state_dir}`]
  await expect(
    main(['verifier', ...settings.flatMap((one) => ['--set', one])]),
  ).rejects.toMatchObject({
    sentence: `port ${port} is busy`,
    next: 'give another port with --set port=NUMBER (0 takes a free one)',
  })
})

test('evidence is evaluated outside the thread that answers requests, with the settings', async () => {
  const { server } = (await both()).verifier
  const payload = { nonce: 'n', quote: 'rAAAA:AAAA:AAAA', hash_alg: 'sha256', tpm_ak: AK }
  const url = '/v2.5/verify/evidence'
  const asked = await server.inject({ method: 'POST', url, payload: { ...payload, tpm_ek: AK } })
  expect(asked.json()).toMatchObject({ code: 200, results: { valid: false } })
})
