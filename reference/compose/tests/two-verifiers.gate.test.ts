import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answered } from '../../dev/testing/composed.ts'
import {
  HAS_POSTGRES,
  type PostgresCluster,
  startPostgres,
} from '../../dev/testing/storage/postgres-cluster.ts'
import { type Ask, composedVerifier } from '../../dev/testing/verifier/composed-verifier.ts'
import {
  type AttestationDocument,
  agentRequest,
  capabilities,
  evidenceFor,
  proofFor,
  proofRequest,
  type SessionDocument,
  sessionRequest,
} from '../../dev/testing/verifier/push-requests.ts'

const DEADLINE = 10_000

describe.skipIf(!HAS_POSTGRES)('two verifiers on one PostgreSQL', () => {
  let cluster: PostgresCluster | undefined
  beforeAll(async () => {
    cluster = await startPostgres()
  })
  afterAll(() => cluster?.stop())

  async function verifier(verifier_id: string, database: string): Promise<Ask> {
    const settings = [`verifier_id=${verifier_id}`, `database=${database}`]
    return (await composedVerifier(settings)).ask
  }

  async function verifiers(): Promise<readonly [Ask, Ask]> {
    const database = (await cluster?.createDatabase()) ?? ''
    return [await verifier('one', database), await verifier('other', database)]
  }

  async function enrol(ask: Ask): Promise<string> {
    const agent = randomUUID()
    const path = `/v2.5/agents/${agent}`
    const reply = await ask(path, { method: 'POST', body: agentRequest(), admin: true })
    expect(reply.status).toBe(200)
    return agent
  }

  async function open(ask: Ask, agent: string): Promise<SessionDocument> {
    const reply = await ask('/v3/sessions', { method: 'POST', body: sessionRequest(agent) })
    expect(reply.status).toBe(200)
    return dataOf(reply)
  }

  const prove = (ask: Ask, agent: string, session: SessionDocument) =>
    ask(`/v3/sessions/${session.id}`, {
      method: 'PATCH',
      body: proofRequest(agent, proofFor(session)),
    })

  test('an agent may use either verifier at every step, and gets one verdict', async () => {
    const [one, other] = await verifiers()
    const agent = await enrol(one)
    const proven = await prove(other, agent, await open(one, agent))
    const { token } = dataOf<SessionDocument>(proven).attributes
    const path = `/v3/agents/${agent}/attestations`
    const begun = await one(path, { method: 'POST', body: capabilities(), token })
    expect(begun.status).toBe(201)
    const attestation = dataOf<AttestationDocument>(begun)
    const sent = { method: 'PATCH', body: evidenceFor(attestation), token }
    expect((await other(`${path}/${attestation.id}`, sent)).status).toBe(202)
    for (const ask of [one, other])
      expect(await untilEvaluated(ask, `${path}/latest`)).toMatchObject({
        id: '0',
        attributes: { evaluation: 'pass', failure_reason: null },
      })
    for (const ask of [one, other])
      expect((await ask(`/v2.5/agents/${agent}`, { admin: true })).body).toMatchObject({
        results: { attestation_count: 1, attestation_status: 'PASS' },
      })
  })

  test('a challenge can be answered once, at either verifier', async () => {
    const [one, other] = await verifiers()
    const agent = await enrol(one)
    const session = await open(one, agent)
    const asked = [one, other, one, other].map((ask) => prove(ask, agent, session))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404])
  })

  test('both name the one that is responsible for an agent', async () => {
    const [one, other] = await verifiers()
    const agent = await enrol(other)
    for (const ask of [one, other])
      expect((await ask(`/v2.5/agents/${agent}`, { admin: true })).body).toMatchObject({
        results: { verifier_id: 'other', verifier_ip: '127.0.0.1' },
      })
  })

  test('a request to a database that is away is answered with 503, and the next one is served', async () => {
    const [one] = await verifiers()
    const agent = await enrol(one)
    const status = async () => (await one(`/v2.5/agents/${agent}`, { admin: true })).status
    await cluster?.interrupt(async () => {
      expect([await status(), await status()]).toEqual([503, 503])
    })
    expect(await status()).toBe(200)
  })
})

function dataOf<T>({ body }: Answered): T {
  return (body as { data: T }).data
}

async function untilEvaluated(ask: Ask, path: string): Promise<AttestationDocument> {
  const deadline = Date.now() + DEADLINE
  for (;;) {
    const reply = await ask(path, { admin: true })
    const attestation = dataOf<AttestationDocument>(reply)
    if (attestation.attributes.stage === 'verification_complete') return attestation
    if (Date.now() > deadline) throw new Error(`not evaluated: ${JSON.stringify(reply.body)}`)
  }
}
