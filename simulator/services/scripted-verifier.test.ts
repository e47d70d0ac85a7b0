import { request } from 'node:https'
import { test as base, expect, onTestFinished } from 'vitest'
import { makeServerCertificate } from '../agents/server-certificate.ts'
import { type ScriptedVerifier, startVerifier } from './scripted-verifier.ts'
import { BEHAVIOURS, type BehaviourName } from './verifier-behaviours.ts'
import { DEFAULT_SETTINGS, endTimestamp, freshNonce, timestamp } from './verifier-truth.ts'

const ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const server = await makeServerCertificate(ID, Date.now())

interface ClientReply {
  readonly status: number
  readonly text: string
  readonly json: { readonly data: { readonly id: string; readonly attributes: ClientReply['any'] } }
  readonly any: Readonly<Record<string, never>>
}

/** A minimal push agent that sends the requests of a test. */
interface Client {
  ask(method: string, path: string, attributes?: object, token?: string): Promise<ClientReply>
  logIn(): Promise<string>
  offer(token: string, entries?: number): Promise<ClientReply>
}

const KEY = {
  ...{ key_class: 'asymmetric', key_algorithm: 'rsa', key_size: 2048, server_identifier: 'ak' },
  allowable_signature_schemes: ['rsassa', 'rsapss'],
  allowable_hash_algorithms: ['sha256', 'sha384'],
}
const QUOTE = { available_subjects: [0, 10], certification_keys: [KEY] }

const offerOf = (entries: number) => ({
  system_info: { boot_time: '2026-01-01T00:00:00Z' },
  evidence_supported: [
    { evidence_class: 'certification', evidence_type: 'tpm_quote', capabilities: QUOTE },
    {
      ...{ evidence_class: 'log', evidence_type: 'ima_log' },
      capabilities: { entry_count: entries, formats: ['text/plain', 'application/octet-stream'] },
    },
  ],
})

function jsonIn(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function clientOf(verifier: ScriptedVerifier): Client {
  const ask: Client['ask'] = (method, path, attributes = {}, token = '') =>
    new Promise((resolve, reject) => {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
      const place = { host: '127.0.0.1', port: verifier.tlsPort, path, agent: false }
      const sent = request(
        { ...place, method, headers, rejectUnauthorized: false },
        async (response) => {
          try {
            let text = ''
            for await (const chunk of response) text += chunk
            const json = jsonIn(text)
            resolve({ status: response.statusCode ?? 0, text, json, any: {} })
          } catch (error) {
            reject(error)
          }
        },
      )
      sent.once('error', reject)
      sent.end(JSON.stringify({ data: { type: 'x', attributes } }))
    })
  return {
    ask,
    async logIn() {
      const { json } = await ask('POST', '/v3/sessions', { agent_id: ID })
      const proof = await ask('PATCH', `/v3/sessions/${json.data.id}`, { agent_id: ID })
      return String(proof.json.data.attributes['token'])
    },
    offer: (token, entries = 7) =>
      ask('POST', `/v3/agents/${ID}/attestations`, offerOf(entries), token),
  }
}

const test = base.extend<{ verifier: ScriptedVerifier; client: Client }>({
  verifier: async ({ task: _ }, use) => {
    const tls = { certificate: server.certificate, key: server.key, ca: server.certificate }
    const verifier = await startVerifier({ tls })
    onTestFinished(() => verifier.close())
    await use(verifier)
  },
  client: async ({ verifier }, use) => use(clientOf(verifier)),
})

const send = (client: Client, token: string, count: number) =>
  client.ask(
    'PATCH',
    `/v3/agents/${ID}/attestations/latest`,
    { evidence_collected: [{ evidence_type: 'ima_log', data: { entry_count: count } }] },
    token,
  )

const chosenIn = ({ json }: ClientReply, item: number) => {
  const requested: unknown = json.data.attributes['evidence_requested']
  return (requested as readonly { readonly chosen_parameters: object }[])[item]?.chosen_parameters
}

test('a session, an offer and evidence are answered as the document specifies', async ({
  client,
}) => {
  const token = await client.logIn()
  expect((await client.offer(token)).status).toBe(201)
  expect((await send(client, token, 7)).json).toMatchObject({
    meta: { seconds_to_next_attestation: 1 },
  })
})

test('only new entries of the list are requested, unless whole lists are', async ({
  verifier,
  client,
}) => {
  const token = await client.logIn()
  expect(chosenIn(await client.offer(token), 1)).toMatchObject({ starting_offset: 0 })
  await send(client, token, 7)
  expect(chosenIn(await client.offer(token, 9), 1)).toMatchObject({
    starting_offset: 7,
    entry_count: 2,
  })
  verifier.set({ wholeLists: true })
  expect(chosenIn(await client.offer(token, 9), 1)).toMatchObject({
    starting_offset: 0,
    entry_count: 9,
  })
  verifier.set({ countsEntries: false })
  expect(chosenIn(await client.offer(token, 9), 1)).toEqual({
    starting_offset: 0,
    format: 'text/plain',
  })
})

test.for([
  ['first', 'rsassa', 'sha256', 'text/plain'],
  ['last', 'rsapss', 'sha384', 'application/octet-stream'],
] as const)(
  'the %s of what is offered is chosen',
  async ([chooses, signature_scheme, hash_algorithm, format], { verifier, client }) => {
    verifier.set({ chooses })
    const reply = await client.offer(await client.logIn())
    expect(chosenIn(reply, 0)).toMatchObject({ signature_scheme, hash_algorithm })
    expect(chosenIn(reply, 1)).toMatchObject({ format })
  },
)

test('logs are requested before the quote if so set', async ({ verifier, client }) => {
  verifier.set({ logsFirst: true })
  const { json } = await client.offer(await client.logIn())
  expect(json.data.attributes['evidence_requested']).toMatchObject([
    { evidence_type: 'ima_log' },
    { evidence_type: 'tpm_quote' },
  ])
})

test('ends are written in a zone of their own', async ({ verifier, client }) => {
  verifier.set({ zoneMinutes: 0, endZoneMinutes: -60 })
  const { json } = await client.offer(await client.logIn())
  expect(json.data.attributes).toMatchObject({
    capabilities_received_at: expect.stringMatching(/\+00:00$/),
    challenges_expire_at: expect.stringMatching(/-01:00$/),
  })
})

test('each challenge is new and of the configured size', async ({ verifier, client }) => {
  verifier.set({ nonceBytes: 32 })
  const token = await client.logIn()
  const challenges = [await client.offer(token), await client.offer(token)].map((reply) =>
    String((chosenIn(reply, 0) as { challenge?: string }).challenge),
  )
  expect(new Set(challenges).size).toBe(2)
  expect(challenges.map((one) => Buffer.from(one, 'base64').length)).toEqual([32, 32])
})

test('a forgotten token is refused, and the request has no effect', async ({
  verifier,
  client,
}) => {
  const token = await client.logIn()
  verifier.forgetTokens()
  expect((await client.offer(token)).status).toBe(401)
  expect(verifier.exchanges.at(-1)).toMatchObject({ step: 'capabilities', bearer: 'another' })
})

test('a scripted operation applies as often as stated, and correct answers follow', async ({
  verifier,
  client,
}) => {
  verifier.play([{ on: 'session', does: '503', times: 2 }])
  const statuses = []
  for (let at = 0; at < 3; at++) statuses.push((await client.ask('POST', '/v3/sessions')).status)
  expect(statuses).toEqual([503, 503, 200])
  expect(verifier.exchanges.map(({ did }) => did)).toEqual(['503', '503', undefined])
})

test.for(['reset', 'truncated'] as const)(
  'the connection ends when the script says %s',
  async (does, { verifier, client }) => {
    verifier.play([{ on: 'session', does }])
    await expect(client.ask('POST', '/v3/sessions')).rejects.toThrow()
  },
)

test('every behaviour has an answer to an offer', async ({ verifier, client }) => {
  const cut: readonly string[] = ['reset', 'truncated']
  const names = (Object.keys(BEHAVIOURS) as BehaviourName[]).filter((name) => !cut.includes(name))
  const token = await client.logIn()
  for (const does of names) {
    verifier.play([{ on: 'capabilities', does }])
    const { status } = await client.offer(token)
    expect([does, status >= 200 && status < 600]).toEqual([does, true])
    expect(verifier.exchanges.at(-1)?.did).toBe(does)
  }
})

test('another certificate is presented from then on', async ({ verifier, client }) => {
  const other = await makeServerCertificate('another', Date.now())
  verifier.show(other)
  expect((await client.ask('POST', '/v3/sessions')).status).toBe(200)
})

test('a client that speaks plain HTTP is counted', async ({ verifier }) => {
  const clear = fetch(`http://127.0.0.1:${verifier.tlsPort}/v3/sessions`, { method: 'POST' })
  await expect(clear).rejects.toThrow()
  expect([verifier.clearAttempts, verifier.exchanges.length]).toEqual([1, 0])
})

test('connections can be intercepted before TLS begins', async ({ verifier, client }) => {
  verifier.meet((socket) => void socket.destroy())
  await expect(client.ask('POST', '/v3/sessions')).rejects.toThrow()
  verifier.meet(undefined)
  expect((await client.ask('POST', '/v3/sessions')).status).toBe(200)
})

test.for([ID, '%00', '%zz', '%0d%0a'])(
  'an offer of the agent %s is answered with its link',
  async (id, { client }) => {
    const { status, json } = await client.ask('POST', `/v3/agents/${id}/attestations`, offerOf(1))
    expect(status).toBe(201)
    expect(json.data).toMatchObject({
      links: { self: expect.stringMatching(/^\/v3\/agents\/[\w%-]+/) },
    })
  },
)

test.each([
  [undefined, '2026-01-01T00:00:01.000000Z'],
  [0, '2026-01-01T00:00:01.000000+00:00'],
  [-90, '2025-12-31T22:30:01.000000-01:30'],
  [120, '2026-01-01T02:00:01.000000+02:00'],
])(
  'a verifier whose clock is a second ahead writes its times with an offset of %s minutes',
  (zoneMinutes, text) => {
    const clock = { skewMs: 1000, zoneMinutes, roundsTimes: false }
    expect(timestamp(Date.UTC(2026, 0, 1), clock)).toBe(text)
  },
)

test('a verifier that rounds writes ends with a smaller fraction than times', () => {
  const clock = { ...DEFAULT_SETTINGS, roundsTimes: true }
  const ms = Date.UTC(2026, 0, 1, 0, 0, 1, 500)
  expect(timestamp(ms, clock)).toBe('2026-01-01T00:00:00.999000Z')
  expect(endTimestamp(ms, clock)).toBe('2026-01-01T00:00:01.000000Z')
})

test('a challenge has a zero byte in it', () => {
  expect(Buffer.from(freshNonce(20), 'base64').indexOf(0)).toBeGreaterThan(0)
})
