import { expect, onTestFinished, test } from 'vitest'
import { composeOpenApi } from './compose-openapi.ts'
import { mockServer } from './mock.ts'
import type { OpenApiRole } from './operations.ts'

const ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** What a mock answers to a request. */
async function asked(
  [role, version]: readonly [OpenApiRole, string],
  [method, url]: readonly ['GET' | 'POST' | 'PATCH', string],
  payload?: unknown,
) {
  const lines: string[] = []
  const onRequest = (line: string) => void lines.push(line)
  const server = mockServer(composeOpenApi(role, version), { version, onRequest })
  onTestFinished(() => server.close())
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const headers = { 'content-type': 'application/json' }
  const reply = await server.inject({ method, url, headers, ...(body && { payload: body }) })
  return { status: reply.statusCode, body: reply.body === '' ? '' : reply.json(), lines }
}

test('a request that the document allows is answered with its example', async () => {
  const registered = await asked(['registrar', '2.5'], ['POST', `/v2.5/agents/${ID}`], {
    aik_tpm: 'AAAA',
  })
  expect(registered.status).toBe(200)
  expect(registered.body).toMatchObject({ code: 200, results: { blob: 'text' } })
  expect(registered.lines).toEqual([`200 POST /v2.5/agents/${ID}`])
  const offer = {
    data: {
      type: 'attestation',
      attributes: { evidence_supported: [], system_info: {} },
    },
  }
  const begun = await asked(['verifier', '3.0'], ['POST', `/v3/agents/${ID}/attestations`], offer)
  expect(begun.status).toBe(201)
  expect(Object(begun.body).data.attributes.evidence_requested).toHaveLength(2)
})

test.each([
  ['a body without a member', { ekcert: null }, "body must have required property 'aik_tpm'"],
  ['a member of another type', { aik_tpm: 7 }, 'body/aik_tpm must be string'],
  ['a body that is no JSON', '{"aik_tpm"', 'the body is not JSON'],
])('%s is refused with the place', async (_, body, status) => {
  const refused = await asked(['registrar', '2.5'], ['POST', `/v2.5/agents/${ID}`], body)
  expect(refused.body).toEqual({ code: 400, status, results: {} })
})

test('a query parameter that is missing and a path that does not exist are refused', async () => {
  const identity = await asked(['agent', '2.5'], ['GET', '/v2.5/quotes/identity'])
  expect(identity.body).toMatchObject({ code: 400, status: 'query parameter nonce is missing' })
  const given = await asked(['agent', '2.5'], ['GET', '/v2.5/quotes/identity?nonce=Ab3'])
  expect(given.status).toBe(200)
  const unknown = await asked(['verifier', '3.0'], ['GET', '/v3/agents'])
  expect(unknown.body).toEqual({
    errors: [{ status: '404', detail: 'no operation GET /v3/agents' }],
  })
})
