import { randomUUID, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { AGENT_TLS, type PullAgent, pullAgent } from '../../dev/testing/pull-agent.ts'
import {
  HAS_POSTGRES,
  type PostgresCluster,
  startPostgres,
} from '../../dev/testing/storage/postgres-cluster.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import {
  type Ask,
  type ComposedVerifier,
  composedVerifier,
} from '../../dev/testing/verifier/composed-verifier.ts'
import { spawnedVerifier } from '../../dev/testing/verifier/spawned-verifier.ts'

const DEADLINE = { timeout: 30_000, interval: 50 }

/** Milliseconds of a test in which processes start, on a busy machine. */
const LONG = 120_000

/** Polls of an agent in which every verifier has looked for agents to take over, which it does every five seconds. */
const BEYOND_A_SWEEP = 6

const [GET_QUOTE, TENANT_FAILED] = [3, 10]

const NAMES = ['one', 'other'] as const
type Name = (typeof NAMES)[number]
type Verifiers = Readonly<Record<Name, ComposedVerifier>>

interface Agent {
  readonly path: string
  readonly machine: PullAgent
}

describe.skipIf(!HAS_POSTGRES)('two verifiers that poll, on one PostgreSQL', () => {
  let cluster: PostgresCluster | undefined
  beforeAll(async () => {
    cluster = await startPostgres()
  })
  afterAll(() => cluster?.stop())

  /** Each has a CA of its own, so that an agent sees which of them asks. */
  async function scene<Verifier extends ComposedVerifier>(
    begin: (settings: readonly string[], state_dir: string) => Promise<Verifier>,
  ) {
    const database = (await cluster?.createDatabase()) ?? ''
    const places = { one: temporaryDirectory(), other: temporaryDirectory() }
    const start = (name: Name) =>
      begin([`verifier_id=${name}`, `database=${database}`, 'quote_interval=1'], places[name])
    const verifiers = { one: await start('one'), other: await start('other') }
    return { verifiers, start, askers: askersOf(verifiers) }
  }

  test('an agent is polled by the one that it was added at, and both say which', async () => {
    const { verifiers, askers } = await scene(composedVerifier)
    const agents = { one: await add(verifiers, 'one'), other: await add(verifiers, 'other') }
    await morePolls(agents.one, BEYOND_A_SWEEP)
    await morePolls(agents.other, 1)
    for (const name of NAMES) {
      expect(askers(agents[name])).toEqual([name])
      for (const { ask } of Object.values(verifiers))
        expect(await statusOf(ask, agents[name])).toMatchObject({
          ...{ verifier_id: name, operational_state: GET_QUOTE, attestation_status: 'PASS' },
        })
    }
  })

  test('agents of a killed verifier wait for it, and the other verifier continues with its own', {
    timeout: LONG,
  }, async () => {
    const { verifiers, start, askers } = await scene(spawnedVerifier)
    const agents = { one: await add(verifiers, 'one'), other: await add(verifiers, 'other') }
    for (const agent of Object.values(agents)) await morePolls(agent, 2)
    await verifiers.one.kill()
    const polled = agents.one.machine.asked.length
    await morePolls(agents.other, BEYOND_A_SWEEP)
    expect(agents.one.machine.asked.length).toBe(polled)
    const left = await statusOf(verifiers.other.ask, agents.one)
    expect(left).toMatchObject({ verifier_id: 'one', operational_state: GET_QUOTE })
    await start('one')
    await morePolls(agents.one, 2)
    expect(askers(agents.one)).toEqual(['one'])
    expect(askers(agents.other)).toEqual(['other'])
    const counted = await statusOf(verifiers.other.ask, agents.one)
    expect(counted['attestation_count']).toBeGreaterThan(Number(left['attestation_count']))
  })

  test('who stops and reactivates an agent at the other one does not make it change hands', async () => {
    const { verifiers, askers } = await scene(composedVerifier)
    const agent = await add(verifiers, 'one')
    await morePolls(agent, 2)
    const { ask } = verifiers.other
    const put = (what: string) => ask(`${agent.path}/${what}`, { method: 'PUT', admin: true })
    expect((await put('stop')).status).toBe(200)
    expect(await statusOf(ask, agent)).toMatchObject({ operational_state: TENANT_FAILED })
    expect((await put('reactivate')).status).toBe(200)
    await morePolls(agent, 2)
    expect(askers(agent)).toEqual(['one'])
    expect(await statusOf(ask, agent)).toMatchObject({
      ...{ verifier_id: 'one', operational_state: GET_QUOTE },
    })
  })
})

/** Which verifiers have asked an agent, by whose CA made the certificate that they came with. */
function askersOf(verifiers: Verifiers) {
  const keys = NAMES.map(
    (name) => [name, new X509Certificate(verifiers[name].ca).publicKey] as const,
  )
  const nameOf = (client: Uint8Array) =>
    keys.find(([, key]) => new X509Certificate(client).verify(key))?.[0]
  return ({ machine }: Agent) => [...new Set(machine.asked.map(({ client }) => nameOf(client)))]
}

/** Adds an agent at one of them, which answers both. */
async function add(verifiers: Verifiers, name: Name): Promise<Agent> {
  const machine = await pullAgent(AGENT_TLS, `${verifiers.one.ca}\n${verifiers.other.ca}`)
  const path = `/v2.5/agents/${randomUUID()}`
  const body = machine.request()
  const { status } = await verifiers[name].ask(path, { method: 'POST', body, admin: true })
  expect(status).toBe(200)
  return { path, machine }
}

async function morePolls({ machine: { asked } }: Agent, count: number): Promise<void> {
  const before = asked.length
  await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(before + count), DEADLINE)
}

async function statusOf(ask: Ask, { path }: Agent): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await ask(path, { admin: true })
  return (body as { results: Readonly<Record<string, unknown>> }).results
}
