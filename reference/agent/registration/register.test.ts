import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { ApiVersion } from '../../api/versions.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { jsonClient } from '../../http-client/json-client.ts'
import { type DeepQuoting, register } from './register.ts'
import { REGISTRATION_REQUEST, type Registration } from './registration-request.ts'

const AGENT = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const SECRET = new TextEncoder().encode('0123456789abcdef0123456789abcdef')
/** HMAC-SHA-384 of the agent id with the base64 of that secret as the key, by openssl. */
const TAG =
  'be61d32db5f43c82953d62931990726c4aa18f2aa5f1522816122bd9a066f45c349945fdab605989ea55eecbfb817ea9'

const REGISTRATION: Registration = {
  agentId: AGENT,
  akPublic: Uint8Array.of(1),
  ekPublic: Uint8Array.of(2),
  ekCertificate: undefined,
  serverCertificate: 'a certificate',
  contactIp: '127.0.0.1',
  contactPort: 9002,
}

interface RecordedRequest {
  readonly call: string
  readonly body: unknown
}
type Answer = readonly [status: number, body: unknown]

const success = (results: unknown): Answer => [200, { code: 200, status: 'Success', results }]
const refusal = (code: number, status: string): Answer => [code, { code, status, results: {} }]
const versions = (current: string, ...all: readonly string[]): Answer =>
  success({ current_version: current, supported_versions: [...all, current] })
const BLOB = success({ blob: toBase64(SECRET) })

/** A registrar with scripted replies: the row whose key is a prefix of the call, or an empty success. */
async function scripted(rows: Readonly<Record<string, readonly Answer[]>>) {
  const asked: RecordedRequest[] = []
  const left = new Map(Object.entries(rows).map(([call, answers]) => [call, [...answers]]))
  const server = createServer(async (request, response) => {
    const call = `${request.method} ${request.url}`
    const body = request.method === 'GET' ? undefined : await json(request)
    asked.push({ call, body })
    const answers = [...left].find(([start]) => call.startsWith(start))?.[1] ?? []
    const [status, reply] = (answers.length > 1 ? answers.shift() : answers[0]) ?? success({})
    response.writeHead(status).end(JSON.stringify(reply))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const limits = { timeoutMs: 10_000, maxBytes: 100_000 }
  const registrar = jsonClient({ host: '127.0.0.1', port, ...limits })
  onTestFinished(() => {
    registrar.close()
    server.close()
  })
  const waited: number[] = []
  const run = (
    ours: readonly ApiVersion[] = ['2.1', '2.4', '2.5'],
    change: object = {},
    deepQuote?: DeepQuoting,
  ) =>
    register(
      {
        ...{ registrar, versions: ours, request: REGISTRATION_REQUEST, deepQuote },
        attester: { activate: async (blob) => blob },
        retrying: {
          backoff: { initialDelay: 10, maxRetries: 2, maxDelay: 100 },
          wait: async (ms) => waited.push(ms),
          onPause: () => undefined,
        },
      },
      { ...REGISTRATION, ...change },
    )
  const calls = () => asked.map(({ call }) => call)
  return { asked, calls, run, waited }
}

test('the current version of the registrar is taken where it is one of ours', async () => {
  const { calls, run } = await scripted({
    'GET /version': [versions('2.4', '2.5')],
    'POST /v2.4': [BLOB],
  })
  await run()
  expect(calls()).toEqual([
    'GET /version',
    `POST /v2.4/agents/${AGENT}`,
    `PUT /v2.4/agents/${AGENT}/activate`,
  ])
})

test.each<[ApiVersion, string, unknown]>([
  ['1.0', 'vactivate', { deepquote: toBase64(new TextEncoder().encode('d of 1.0')) }],
  ['2.0', 'vactivate', { deepquote: toBase64(new TextEncoder().encode('d of 2.0')) }],
  ['2.1', 'activate', { auth_tag: TAG }],
])('under %s an agent that can make deep quotes uses %s', async (version, path, body) => {
  const proofs: unknown[] = []
  const { asked, run } = await scripted({ 'GET /version': [versions(version)], POST: [BLOB] })
  await run([version], {}, async (proof, under) => {
    proofs.push(proof)
    return `d of ${under}`
  })
  expect(asked.at(-1)?.call).toMatch(new RegExp(`^PUT /v.*/agents/${AGENT}/${path}$`))
  expect(asked.at(-1)?.body).toEqual(body)
  const proof = { tag: TAG, ak: REGISTRATION.akPublic, ek: REGISTRATION.ekPublic }
  expect(proofs).toEqual(path === 'vactivate' ? [proof] : [])
})

test('otherwise the newest that both have', async () => {
  const { calls, run } = await scripted({
    'GET /version': [versions('2.6', '2.1', '2.4', '3.0')],
    POST: [BLOB],
  })
  await run()
  expect(calls()[1]).toBe(`POST /v2.4/agents/${AGENT}`)
})

test('a registrar that does not say is asked for ours, from the newest on, until one is taken', async () => {
  const { calls, run } = await scripted({
    'GET /version': [refusal(404, 'Not Found')],
    'POST /v2.5': [refusal(404, 'Not Found')],
    'POST /v2.4': [BLOB],
  })
  await run()
  expect(calls().slice(1)).toEqual([
    `POST /v2.5/agents/${AGENT}`,
    `POST /v2.4/agents/${AGENT}`,
    `PUT /v2.4/agents/${AGENT}/activate`,
  ])
})

test('a refusal with 403 is not carried to older versions', async () => {
  const { calls, run } = await scripted({
    'GET /version': [refusal(404, 'Not Found')],
    POST: [refusal(403, 'another TPM')],
  })
  await expect(run()).rejects.toMatchObject({
    sentence: 'the registrar refused the registration with HTTP 403: "another TPM"',
    next: expect.stringContaining('choose another uuid'),
  })
  expect(calls()).toHaveLength(2)
})

test('without a version in common nothing is sent', async () => {
  const { calls, run } = await scripted({ 'GET /version': [versions('3.0')] })
  await expect(run()).rejects.toMatchObject({ sentence: expect.stringContaining('speaks 3.0') })
  expect(calls()).toEqual(['GET /version'])
})

test('in 3.0 the id is in the body', async () => {
  const { asked, run } = await scripted({
    'GET /version': [versions('3.0')],
    'POST /v3.0/agents/': [BLOB],
  })
  await run(['3.0'])
  expect(asked[1]).toMatchObject({ call: 'POST /v3.0/agents/', body: { agent_id: AGENT } })
  expect(asked[2]?.call).toBe(`POST /v3.0/agents/${AGENT}/activate`)
})

test('the request has the names and formats of the document', async () => {
  const { asked, run } = await scripted({ 'GET /version': [versions('2.5')], POST: [BLOB] })
  await run(undefined, { ekCertificate: Uint8Array.of(3) })
  expect(asked[1]?.body).toEqual({
    ...{ aik_tpm: 'AQ==', ek_tpm: 'Ag==', ekcert: 'Aw==', mtls_cert: 'a certificate' },
    ...{ ip: '127.0.0.1', port: '9002' },
  })
  expect(asked[2]?.body).toEqual({ auth_tag: TAG })
})

test('a TPM without a certificate is registered without one', async () => {
  const { asked, run } = await scripted({ 'GET /version': [versions('2.5')], POST: [BLOB] })
  await run()
  expect(asked[1]?.body).not.toHaveProperty('ekcert')
})

test('a registrar that cannot answer now is asked again, all over', async () => {
  const { calls, run, waited } = await scripted({
    'GET /version': [refusal(503, 'busy'), versions('2.5')],
    'POST /v2.5': [refusal(500, 'broken'), BLOB],
  })
  await run()
  expect(waited).toEqual([10, 20])
  expect(calls().filter((call) => call === 'GET /version')).toHaveLength(3)
})

test('after repeated failures of the registrar the agent gives up with the reason', async () => {
  const { run, waited } = await scripted({ 'GET /version': [refusal(503, 'busy')] })
  await expect(run()).rejects.toMatchObject({
    sentence: 'the agent could not be registered: the registrar answered with HTTP 503',
  })
  expect(waited).toEqual([10, 20])
})

test.each([
  ['no blob', success({})],
  ['a blob that is no base64', success({ blob: '!' })],
])('an answer with %s is that of no registrar', async (_, answer) => {
  const { run } = await scripted({ 'GET /version': [versions('2.5')], POST: [answer] })
  await expect(run()).rejects.toMatchObject({
    sentence: expect.stringContaining('does not answer as a registrar does'),
  })
})

test('a refused activation is reported', async () => {
  const { run } = await scripted({
    'GET /version': [versions('2.5')],
    POST: [BLOB],
    PUT: [refusal(400, 'wrong tag')],
  })
  await expect(run()).rejects.toMatchObject({
    sentence: 'the registrar refused the activation with HTTP 400: "wrong tag"',
  })
})
