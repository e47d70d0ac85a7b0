import { createHmac } from 'node:crypto'
import { test as base, expect, onTestFinished } from 'vitest'
import { softKeys } from '../machine/soft-machine.ts'
import { createManufacturer } from '../swtpm/manufacturer.ts'
import { nameOf, parseTpm2bPublic, pemOf } from '../tpm/public.ts'
import { lastRefusal, startRegistrar } from './scripted-registrar.ts'
import { startService } from './service.ts'

const keys = await softKeys(await createManufacturer({ now: new Date() }))
const ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const BODY = { aik_tpm: Buffer.from(keys.ak.public).toString('base64') }

const test = base.extend<{ ask: Ask; registrar: Awaited<ReturnType<typeof startRegistrar>> }>({
  registrar: async ({ task: _ }, use) => {
    const registrar = await startRegistrar({ endorsementKey: keys.ek.public })
    onTestFinished(() => registrar.close())
    await use(registrar)
  },
  ask: async ({ registrar }, use) => {
    await use(async (method, path, body) => {
      const url = `http://127.0.0.1:${registrar.port}${path}`
      const reply = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
      return { status: reply.status, results: ((await reply.json()) as Envelope).results }
    })
  },
})

interface Envelope {
  readonly results: { readonly blob?: string; readonly current_version?: string }
}
type Ask = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; results: Envelope['results'] }>

async function secretOf(ask: Ask): Promise<Buffer> {
  const { results } = await ask('POST', `/v2.5/agents/${ID}`, BODY)
  return Buffer.from(keys.open(new Uint8Array(Buffer.from(results.blob ?? '', 'base64'))))
}

function tagOf(key: string | Buffer): string {
  return createHmac('sha384', key).update(ID).digest('hex')
}

test('an agent that opens the challenge is activated', async ({ ask, registrar }) => {
  const auth_tag = tagOf((await secretOf(ask)).toString('base64'))
  expect((await ask('PUT', `/v2.5/agents/${ID}/activate`, { auth_tag })).status).toBe(200)
  expect(registrar.registrationOf(ID)).toMatchObject({ version: '2.5', activated: 'base64' })
})

test('the upstream path activates too, and so does the challenge in raw form', async ({
  ask,
  registrar,
}) => {
  await ask('PUT', `/v2.5/agents/${ID}`, { auth_tag: tagOf(await secretOf(ask)) })
  expect(registrar.registrationOf(ID)?.activated).toBe('raw')
})

test.each([
  ['as later versions call and write it', BODY],
  ['as the legacy listing calls it', { aik: BODY.aik_tpm }],
  [
    'in PEM with its name',
    {
      aik: pemOf(parseTpm2bPublic(keys.ak.public)),
      aik_name: Buffer.from(nameOf(keys.ak.public)).toString('hex'),
    },
  ],
])('a registrar of 2.0 seals a challenge for an attestation key, %s', async (_, body) => {
  const registrar = await startRegistrar({ endorsementKey: keys.ek.public, versions: ['2.0'] })
  onTestFinished(() => registrar.close())
  const url = `http://127.0.0.1:${registrar.port}/v2/agents/${ID}`
  const reply = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  const { blob = '' } = ((await reply.json()) as Envelope).results
  const secret = Buffer.from(keys.open(new Uint8Array(Buffer.from(blob, 'base64'))))
  const auth_tag = tagOf(secret)
  await fetch(`${url}/activate`, { method: 'PUT', body: JSON.stringify({ auth_tag }) })
  expect(registrar.registrationOf(ID)).toMatchObject({ version: '2.0', activated: 'raw' })
})

test.each([{}, { aik_tpm: 'AAAA' }, { aik_tpm: 'not a key' }])(
  'a registration with %j is refused, and kept for the scenario',
  async (body) => {
    const registrar = await startRegistrar({ endorsementKey: keys.ek.public })
    onTestFinished(() => registrar.close())
    const url = `http://127.0.0.1:${registrar.port}/v2.5/agents/${ID}`
    expect((await fetch(url, { method: 'POST', body: JSON.stringify(body) })).status).toBe(400)
    expect(registrar.registrationOf(ID)).toMatchObject({ body, activated: false })
  },
)

test('another tag activates no agent', async ({ ask, registrar }) => {
  await secretOf(ask)
  expect((await ask('PUT', `/v2.5/agents/${ID}`, { auth_tag: tagOf('x') })).status).toBe(400)
  expect(registrar.registrationOf(ID)?.activated).toBe(false)
})

test('a registrar misbehaves as often as scripted', async ({ ask, registrar }) => {
  registrar.misbehave([{ on: 'version', answer: { status: 503 }, times: 2 }])
  const statuses = [1, 2, 3].map(() => fetch(`http://127.0.0.1:${registrar.port}/version`))
  expect((await Promise.all(statuses)).map(({ status }) => status).toSorted()).toEqual([
    200, 503, 503,
  ])
  expect((await ask('GET', '/version')).results.current_version).toBe('2.5')
})

test('a connection is cut if the script says so', async ({ ask, registrar }) => {
  registrar.misbehave([{ on: 'register', answer: 'reset' }])
  await expect(ask('POST', `/v2.5/agents/${ID}`, BODY)).rejects.toThrow()
  expect(registrar.registrationOf(ID)).toBeUndefined()
})

test('requests are recorded', async ({ ask, registrar }) => {
  await ask('POST', `/v2.4/agents/${ID}`, BODY)
  expect(registrar.exchanges.map(({ request }) => request)).toMatchObject([
    { method: 'POST', url: `/v2.4/agents/${ID}`, json: BODY },
  ])
})

test.for([
  ['/v2.5/agents/%zz', 200],
  ['/v2.5/agents/%7a%7a', 200],
  ['//v2.5/agents/zz', 404],
] as const)(
  'a registration at %s is recorded, and answered with %i',
  async ([path, status], { ask, registrar }) => {
    expect((await ask('POST', path, BODY)).status).toBe(status)
    expect(registrar.exchanges.map(({ request }) => request.url)).toEqual([path])
  },
)

test('a request that cannot be answered is recorded, and its connection cut', async () => {
  const service = await startService({
    answer: () => {
      throw new RangeError('no answer')
    },
  })
  onTestFinished(() => service.close())
  await expect(fetch(`http://127.0.0.1:${service.port}/a`)).rejects.toThrow()
  expect(service.exchanges).toMatchObject([{ request: { url: '/a' }, answer: 'reset' }])
})

test('the last refusal of a registrar names the request and the reason', async ({
  ask,
  registrar,
}) => {
  await ask('POST', `/v2.5/agents/${ID}`, BODY)
  expect(lastRefusal(registrar)).toBeUndefined()
  await ask('POST', `/v2.5/agents/${ID}`, { aik_tpm: 'AAAA' })
  await ask('GET', '/version')
  expect(lastRefusal(registrar)).toBe(
    `the registrar refused POST /v2.5/agents/${ID} with 400: the attestation key cannot be read`,
  )
})
