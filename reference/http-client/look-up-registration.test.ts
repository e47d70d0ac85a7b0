import { expect, test } from 'vitest'
import { toBase64 } from '../bytes/base64.ts'
import { refusalOf } from '../dev/testing/refusal-of.ts'
import { NoAnswer } from './json-client.ts'
import { hostLookup, registrationLookup } from './look-up-registration.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
}

const versions = (...supported_versions: unknown[]): Answer => ({
  status: 200,
  body: { code: 200, status: 'Success', results: { supported_versions } },
})
const agent = (results: unknown, status = 200): Answer => ({ status, body: { results } })
const NONE = { status: 404, body: { code: 404, status: 'no', results: {} } }
const KNOWN = agent({ aik_tpm: 'AIK', mtls_cert: 'PEM', regcount: 1 })

/** A lookup at a registrar that gives these answers, and the paths it is asked for. */
function registrar(version: Answer, answer: Answer) {
  const asked: string[] = []
  const lookUp = registrationLookup({
    async get(path) {
      asked.push(path)
      return path === '/version' ? version : answer
    },
  })
  return { asked, lookUp }
}

test.each([
  [versions('1.0', '2.0', '2.5', '3.0'), '/v3.0/agents/a'],
  [versions('2.10', '9.9', '2.1', '2.0'), '/v2.1/agents/a'],
  [NONE, '/v2.0/agents/a'],
])('the newest common version is used', async (version, path) => {
  const { asked, lookUp } = registrar(version, KNOWN)
  expect(await lookUp('a')).toEqual({ aik_tpm: 'AIK', mtls_cert: 'PEM', regcount: 1 })
  expect(asked).toEqual(['/version', path])
})

test('an id is one segment of the path', async () => {
  const { asked, lookUp } = registrar(versions('2.5'), KNOWN)
  await lookUp('a/../b?c')
  expect(asked[1]).toBe('/v2.5/agents/a%2F..%2Fb%3Fc')
})

test.each([{ aik_tpm: 'AIK' }, { aik_tpm: 'AIK', mtls_cert: null }])(
  '%o has no certificate',
  async (results) => {
    const { lookUp } = registrar(versions('2.5'), agent(results))
    expect(await lookUp('a')).toEqual({ aik_tpm: 'AIK', mtls_cert: null, regcount: 0 })
  },
)

test('an agent that is not registered is 404', async () => {
  const { lookUp } = registrar(versions('2.5'), NONE)
  expect(await refusalOf(() => lookUp('a'))).toMatchObject({ status: 404, code: 'not_found' })
})

test.each<[string, Answer, Answer]>([
  ['an invalid version list', { status: 200, body: { results: {} } }, KNOWN],
  ['no version of ours', versions('9.9'), KNOWN],
  ['a fault on the way', { status: 500, body: undefined }, KNOWN],
  ['no JSON', versions('2.5'), { status: 200, body: undefined }],
  ['no envelope', versions('2.5'), { status: 200, body: { aik_tpm: 'AIK' } }],
  ['no key', versions('2.5'), agent({ mtls_cert: 'PEM' })],
  ['an empty key', versions('2.5'), agent({ aik_tpm: '' })],
  ['a refusal', versions('2.5'), agent({ aik_tpm: 'AIK' }, 403)],
  ['a redirect', versions('2.5'), agent({ aik_tpm: 'AIK' }, 307)],
])('%s is reported as an answer that cannot be used', async (_, version, answer) => {
  const { lookUp } = registrar(version, answer)
  const refusal = await refusalOf(() => lookUp('a'))
  expect(refusal).toMatchObject({ status: 502, code: 'registrar_answer_unusable' })
  expect(refusal.message).toContain('send ak_tpm')
})

test('the error for a registrar that does not answer says what to do', async () => {
  const get = () => Promise.reject(new NoAnswer('ECONNREFUSED'))
  const lookUp = registrationLookup({ get })
  expect(await refusalOf(() => lookUp('a'))).toMatchObject({
    status: 503,
    code: 'registrar_unreachable',
    message: expect.stringMatching(/ECONNREFUSED.*send ak_tpm/),
  })
})

const HOST_KEY = toBase64(Uint8Array.of(1, 2))

test.each<[string, Answer, unknown]>([
  ['a key', agent({ aik_tpm: HOST_KEY }), Uint8Array.of(1, 2)],
  ['no key where the host is not active', NONE, undefined],
])("the provider's registrar gives %s", async (_, answer, key) => {
  expect(await hostLookup(registrar(versions('2.5'), answer).lookUp)('a')).toEqual(key)
})

test.each<[string, Answer, number, string]>([
  ['that is no base64', agent({ aik_tpm: '*' }), 502, 'registrar_answer_unusable'],
  ['that is none', agent({}), 502, 'registrar_answer_unusable'],
])("a key of the provider's registrar %s cannot be used", async (_, answer, status, code) => {
  const lookUp = hostLookup(registrar(versions('2.5'), answer).lookUp)
  const refusal = await refusalOf(() => lookUp('a'))
  expect(refusal).toMatchObject({ status, code })
  expect(refusal.message).toMatch(/provider/)
})

test("the provider's registrar that does not answer may do so later", async () => {
  const get = () => Promise.reject(new NoAnswer('ECONNREFUSED'))
  const refusal = await refusalOf(() => hostLookup(registrationLookup({ get }))('a'))
  expect(refusal).toMatchObject({ status: 503, code: 'registrar_unreachable' })
  expect(refusal.message).toMatch(/provider.*try again later/)
})
