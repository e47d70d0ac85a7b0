import { writeFileSync } from 'node:fs'
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Attester } from '../../agent/attester/attester.ts'
import type { PushStep } from '../../agent/push/driver.ts'
import { PUSH_AGENT_PARTS, type PushAgentParts } from '../../agent/push/push-agent-parts.ts'
import {
  BLOB,
  begun,
  granted,
  session,
  TOKEN,
  taken,
  VERSIONS,
} from '../../agent/push/testing/push-answers.ts'
import { stubPushAttester } from '../../agent/push/testing/stub-push-attester.ts'
import { loadConfig } from '../../config/config.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { authority, tlsOf } from '../../dev/testing/test-server.ts'
import { createAuthority } from '../../pki/authority.ts'
import type { TlsFiles } from '../../pki/tls-files.ts'
import { createLog } from '../../platform/log.ts'
import { startPushAgent } from '../compose-push-agent.ts'

const TLS = await tlsOf(authority)
const STRANGER = await tlsOf(await createAuthority('Another CA', Date.now()))
const SOON = { timeout: 120_000, interval: 5 }

/** Answers in place of the truth. */
type Lie = (response: ServerResponse, request: IncomingMessage) => void

const HONEST: readonly (readonly [RegExp, number, unknown])[] = [
  [/^GET \/version$/, 200, VERSIONS],
  [/\/activate$/, 200, { results: {} }],
  [/^POST \/v3.0\/agents\/$/, 200, BLOB],
  [/^POST \/v3\/sessions$/, 200, session()],
  [/^PATCH \/v3\/sessions/, 200, granted()],
  [/^POST .*attestations$/, 201, begun()],
  [/^PATCH .*attestations/, 202, taken(1)],
]

interface RecordedRequest {
  readonly call: string
  readonly authorization: string | undefined
  /** Whether the client showed a certificate, as it was asked to. */
  readonly isCertified: boolean
}

/** Registrar and verifier in one server; it gives one scripted false reply. */
async function scriptedServer(lies: Readonly<Record<string, Lie>> = {}, tls: TlsFiles = TLS) {
  const requests: RecordedRequest[] = []
  const left = new Map(Object.entries(lies))
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const call = `${request.method} ${request.url}`
    const { authorization } = request.headers
    const peer = (request.socket as TLSSocket).getPeerCertificate()
    requests.push({ call, authorization, isCertified: Object.keys(peer).length > 0 })
    const lie = [...left].find(([start]) => call.startsWith(start))
    if (lie !== undefined) {
      left.delete(lie[0])
      return lie[1](response, request)
    }
    const [, status = 404, body = {}] = HONEST.find(([pattern]) => pattern.test(call)) ?? []
    response.writeHead(status).end(JSON.stringify(body))
  }
  const { certificate: cert, key } = tls
  const server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, answer)
  return {
    requests,
    port: await listening(server),
    setSecureContext: server.setSecureContext.bind(server),
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const stubAttester: Attester = {
  ...stubPushAttester,
  ...{ ekPublic: Uint8Array.of(1), ekCertificate: undefined, ekKey: undefined as never },
  uptime: async () => 1000n,
  boot: async () => ({ uptime: 1000n, resetCount: 1 }),
  close: async () => undefined,
}

const PARTS: PushAgentParts = { ...PUSH_AGENT_PARTS, openAttester: async () => stubAttester }
const FAST = ['exponential_backoff_initial_delay=10', 'attestation_interval_max_seconds=1']

/** Milliseconds that an answer may take where none comes; others may be late for the machine's sake. */
const PATIENCE: Readonly<Record<string, readonly string[]>> = { timed_out: ['request_timeout=300'] }

/** A push agent of that server, whose TPM is software. */
async function agentOf(port: number, settings: readonly string[] = []) {
  const state_dir = temporaryDirectory()
  const ca = join(state_dir, 'ca.crt')
  writeFileSync(ca, authority.certificate)
  const list = join(state_dir, 'list')
  writeFileSync(list, '10 aa ima-ng sha256:1 /a\n10 bb ima-ng sha256:2 /b\n')
  const config = loadConfig('push-agent', undefined, [
    ...[`state_dir=${state_dir}`, 'tcti=device:/nowhere', `verifier_url=https://127.0.0.1:${port}`],
    ...[`verifier_tls_ca_cert=${ca}`, `registrar_port=${port}`, `ima_ml_path=${list}`],
    ...['tpm_encryption_alg=ecc', 'tpm_signing_alg=ecdsa', 'measuredboot_ml_path=/nowhere'],
    ...[...FAST, ...settings],
  ])
  const steps: PushStep[] = []
  const lines: string[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(line) })
  const onStep = (step: PushStep) => void steps.push(step)
  const agent = await startPushAgent(config, { parts: PARTS, log, onStep })
  onTestFinished(() => agent.stop())
  const happens = (event: string) =>
    vi.waitFor(() => expect(steps.map((step) => step.event)).toContain(event), SOON)
  return { agent, steps, happens, logged: () => lines.join('') }
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Lie =>
  (response) =>
    void response.writeHead(code, headers).end('{}')

const LIES: Readonly<Record<string, readonly [Lie, string]>> = {
  'a reset': [(response) => void response.socket?.destroy(), 'reset'],
  silence: [() => undefined, 'timed_out'],
  'half an answer': [
    (response) => {
      response.writeHead(201, { 'content-length': '1000' }).write('{')
      setTimeout(() => response.socket?.destroy(), 5)
    },
    'reset',
  ],
  'an answer that never ends': [(response) => void response.writeHead(201).write('{'), 'timed_out'],
  'no HTTP': [(response) => void response.socket?.end('hello\r\n\r\n'), 'reset'],
  'an empty body': [(response) => void response.writeHead(201).end(), 'unreadable'],
  'no JSON': [(response) => void response.writeHead(201).end('<html>'), 'unreadable'],
  'no UTF-8': [
    (response) => void response.writeHead(201).end(Buffer.from([0x22, 0xff])),
    'unreadable',
  ],
  'HTTP 403': [status(403), 'forbidden'],
  'HTTP 503': [status(503), 'server_error'],
  'HTTP 204': [(response) => void response.writeHead(204).end(), 'refused'],
}

test.each(Object.entries(LIES))(
  '%s is waited after, and then it attests',
  async (_, [lie, event]) => {
    const { port } = await scriptedServer({ 'POST /v3/agents': lie })
    const { happens, steps } = await agentOf(port, PATIENCE[event])
    await happens('accepted')
    expect(steps.find((step) => step.to === 'AttestationFailed')).toMatchObject({
      event,
      failures: 1,
    })
  },
)

test('a redirect is not followed, so that no other server sees the token', async () => {
  const elsewhere = await scriptedServer()
  const location = `https://127.0.0.1:${elsewhere.port}/v3/agents/x/attestations`
  for (const code of [302, 307]) {
    const { port } = await scriptedServer({ 'POST /v3/agents': status(code, { location }) })
    const { happens, agent } = await agentOf(port)
    await happens('redirected')
    await happens('accepted')
    await agent.stop()
  }
  expect(elsewhere.requests).toEqual([])
})

test('a verifier of another CA is sent nothing, neither under TLS nor without', async () => {
  const registrar = await scriptedServer()
  const stranger = await scriptedServer({}, STRANGER)
  const { happens } = await agentOf(registrar.port, [
    `verifier_url=https://127.0.0.1:${stranger.port}`,
  ])
  await happens('untrusted')
  await happens('token_due')
  expect(stranger.requests).toEqual([])
})

test('a verifier whose certificate has another name is sent nothing', async () => {
  const { port, requests } = await scriptedServer()
  const { happens } = await agentOf(port, [`verifier_url=https://localhost:${port}`])
  await happens('untrusted')
  expect(requests.filter(({ call }) => call.includes('/v3/'))).toEqual([])
})

test('the agent does not fall back to plain HTTP', async () => {
  const { port } = await scriptedServer()
  const requests: string[] = []
  const plain = createPlain((request, response) => {
    requests.push(request.url ?? '')
    response.end('{}')
  })
  const { happens } = await agentOf(port, [
    `verifier_url=https://127.0.0.1:${await listening(plain)}`,
  ])
  await happens('untrusted')
  await happens('token_due')
  expect(requests).toEqual([])
})

test('a verifier that becomes another one half-way does not get the token', async () => {
  const scene = await scriptedServer({
    'PATCH /v3/agents': (response) => {
      scene.setSecureContext({ cert: STRANGER.certificate, key: STRANGER.key })
      response.socket?.destroy()
    },
  })
  const { happens, steps } = await agentOf(scene.port)
  await happens('untrusted')
  const before = scene.requests.length
  const refused = () => steps.filter(({ event }) => event === 'untrusted').length
  await vi.waitFor(() => expect(refused()).toBeGreaterThan(1), SOON)
  expect(scene.requests.length).toBe(before)
})

test('no log line holds the token', async () => {
  const { port } = await scriptedServer({ 'PATCH /v3/agents': status(403) })
  const { happens, logged } = await agentOf(port)
  await happens('accepted')
  expect(logged()).toContain('Attested')
  expect(logged()).not.toContain(TOKEN)
})

test('a stop takes effect at once, during any wait', async () => {
  const { port, requests } = await scriptedServer({ 'POST /v3/agents': () => undefined })
  const { agent, steps } = await agentOf(port, ['request_timeout=600000'])
  await vi.waitFor(() => expect(requests.at(-1)?.call).toMatch(/^POST \/v3\/agents/), SOON)
  await agent.stop()
  expect(steps.at(-1)).toMatchObject({ from: 'Negotiating', to: 'Stopped' })
})

test('it shows no client certificate, though it is asked for one', async () => {
  const { port, requests } = await scriptedServer()
  const { happens } = await agentOf(port)
  await happens('accepted')
  expect(requests.filter(({ isCertified }) => isCertified)).toEqual([])
})
