import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  HAS_POSTGRES,
  type PostgresCluster,
  startPostgres,
} from '../../dev/testing/storage/postgres-cluster.ts'
import { agentRow, attestationRow, policyRow } from '../../dev/testing/storage/rows.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { type VerifierStore, verifierStore } from '../verifier-store.ts'
import { openRegistrarDatabase, openVerifierDatabase, type VerifierDatabase } from './database.ts'

async function faultOf(url: string): Promise<{ sentence: string; next: string }> {
  const opened = openVerifierDatabase(url).then((database) => database.destroy())
  const error: unknown = await opened.then(
    () => undefined,
    (cause) => cause,
  )
  expect(inspect(error, { depth: 9 })).not.toContain('SECRET')
  return error as { sentence: string; next: string }
}

const UNAVAILABLE = {
  code: 'database_unavailable',
  status: 503,
  message: 'The database does not answer now.',
}

/** The port of something that is no PostgreSQL. */
async function serverThat(answers: (socket: Socket) => unknown): Promise<number> {
  const server = createServer(answers).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('without a server the error says no more than that', async () => {
  expect(await faultOf('postgres://u:SECRET@127.0.0.1:1/n')).toMatchObject({
    sentence: 'no PostgreSQL listens at 127.0.0.1:1',
    next: 'start it there, or give another place with --database',
  })
})

test('a host that is not known is named', async () => {
  const { sentence } = await faultOf('postgres://u:SECRET@db.invalid/n')
  expect(sentence).toBe('the database host db.invalid is not known here')
})

test('the error for a server that is not PostgreSQL has no password', async () => {
  const port = await serverThat((socket) => socket.destroy())
  const { sentence } = await faultOf(`postgres://u:SECRET@127.0.0.1:${port}/n`)
  expect(sentence).toContain(`postgres://u@127.0.0.1:${port}/n cannot be used: `)
})

test('a server without TLS is refused where TLS is required', async () => {
  const port = await serverThat((socket) => socket.once('data', () => socket.end('N')))
  const url = `postgres://u:SECRET@127.0.0.1:${port}/n?sslmode=verify-full`
  expect((await faultOf(url)).sentence).toContain('does not support SSL connections')
})

describe.skipIf(!HAS_POSTGRES)('a PostgreSQL server', () => {
  let started: PostgresCluster | undefined
  const cluster = (): PostgresCluster => {
    if (started === undefined) throw new Error('the server is not started')
    return started
  }
  beforeAll(async () => {
    started = await startPostgres()
  })
  afterAll(() => started?.stop())

  async function openDatabase(url: string): Promise<VerifierDatabase> {
    const database = await openVerifierDatabase(url)
    onTestFinished(() => database.destroy())
    return database
  }

  /** Stores of as many verifiers as are asked for, on one new database. */
  async function stores(count: number): Promise<readonly [VerifierStore, ...VerifierStore[]]> {
    const url = await cluster().createDatabase()
    const first = verifierStore(await openDatabase(url))
    const others = Array.from({ length: count - 1 }, () => openDatabase(url))
    return [first, ...(await Promise.all(others)).map(verifierStore)]
  }

  const endConnections = () =>
    cluster().ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay'",
    )

  test('the error for a wrong password, user or database is a sentence without the password', async () => {
    const url = await cluster().createDatabase()
    const { port } = cluster()
    const wrong = url.replace(/:[0-9a-f]+@/, ':SECRET@')
    expect(await faultOf(wrong)).toMatchObject({
      sentence: expect.stringMatching(/^postgres:\S+ is not open to this user and password$/),
      next: 'check the user of the URL, the password in PGPASSWORD, and pg_hba.conf',
    })
    expect(await faultOf(wrong.replace('assay', 'stranger'))).toMatchObject({
      sentence: expect.stringContaining('is not open to this user and password'),
    })
    expect(await faultOf(url.replace(/:[0-9a-f]+@/, '@'))).toMatchObject({
      sentence: expect.stringContaining('asks for a password, and none was given'),
      next: 'put it into the environment as PGPASSWORD',
    })
    expect(await faultOf(url.replace(/[^/]*$/, 'missing'))).toMatchObject({
      sentence: `there is no database postgres://assay@127.0.0.1:${port}/missing`,
      next: 'make it with createdb missing, or give another place with --database',
    })
  })

  test('under TLS the server has to show a certificate of the CA that was named, for its host', async () => {
    const url = await cluster().createDatabase()
    const file = join(temporaryDirectory(), 'ca.pem')
    writeFileSync(file, cluster().ca)
    const secure = (start: string) => `${start}?sslmode=verify-full&sslrootcert=${file}`
    const database = await openDatabase(secure(url))
    const used = sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    expect((await used.execute(database)).rows).toEqual([{ ssl: true }])
    const untrusted = 'shows a certificate that does not hold'
    expect((await faultOf(`${url}?sslmode=verify-full`)).sentence).toContain(untrusted)
    const elsewhere = secure(url.replace('127.0.0.1', 'localhost'))
    expect((await faultOf(elsewhere)).sentence).toContain(untrusted)
  })

  test('a registrar refuses the database of a verifier', async () => {
    const url = await cluster().createDatabase()
    await openDatabase(url)
    await expect(openRegistrarDatabase(url)).rejects.toMatchObject({
      sentence: expect.stringContaining("cannot be brought to this version's tables"),
    })
  })

  test('verifiers that start at once bring the tables to this version once', async () => {
    const [one, ...others] = await stores(4)
    await one.agents.enrol(agentRow(), undefined)
    for (const other of others) expect(await other.agents.find('a')).toEqual(agentRow())
  })

  test('attestations of an agent that come to several verifiers have indexes of their own', async () => {
    const all = await stores(3)
    await all[0].agents.enrol(agentRow(), undefined)
    const appended = all.flatMap(({ attestations }) =>
      Array.from({ length: 10 }, () => attestations.append(attestationRow(), 1_000_000)),
    )
    const indexes = (await Promise.all(appended)).map((row) => row?.index ?? -1)
    expect(indexes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => at))
  })

  test('verifiers that work on the same agents at once do not deadlock', async () => {
    const all = await stores(3)
    const row = (agent_id: string) =>
      agentRow({ agent_id, runtime_policy_name: 'p', mb_policy_name: agent_id })
    await all[0].policies.add(policyRow('p'))
    const acts = ['a', 'b'].flatMap((agent_id) =>
      all.flatMap(({ agents, attestations, policies, sessions }) => [
        () => agents.enrol(row(agent_id), undefined, { name: agent_id, mb_policy: '{}' }),
        () => attestations.append(attestationRow({ agent_id, stage: 'evaluating_evidence' }), 0),
        () =>
          attestations.conclude(
            { agent_id, index: 0, enrolment: 'first' },
            'evaluating_evidence',
            'x',
            { attestation: { stage: 'done' }, agent: () => ({ failures: 1 }) },
          ),
        () => attestations.claim('evaluating_evidence', { owner: 'x', now: 0, until: 100 }),
        () => agents.change(agent_id, ({ failures }) => ({ failures: failures + 1 })),
        () => policies.remove('p'),
        () => sessions.removeExpired(0),
        () => agents.remove(agent_id),
      ]),
    )
    for (let round = 0; round < 10; round++) await Promise.all(acts.map((act) => act()))
  })

  test('a policy that another transaction is about to use is not removed meanwhile', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < 10; round++) {
      await one.policies.add(policyRow('p'))
      const row = agentRow({ runtime_policy_name: 'p' })
      const [conflict, removal] = await Promise.all([
        one.agents.enrol(row, undefined),
        (other ?? one).policies.remove('p'),
      ])
      const isUsed = conflict === undefined
      expect(removal?.outcome).toBe(isUsed ? 'in_use' : 'removed')
      if (isUsed) await one.agents.remove('a')
    }
  })

  test('a connection that breaks during a request is reported once, and the next request has another', async () => {
    const url = await cluster().createDatabase()
    const store = verifierStore(await openDatabase(url))
    const database = await openDatabase(url)
    await store.agents.enrol(agentRow(), undefined)
    const holder = database.transaction().execute(async (transaction) => {
      await transaction.selectFrom('agents').selectAll().forUpdate().execute()
      const waiting = store.agents.change('a', () => ({ failures: 7 }))
      await Promise.all([expect(waiting).rejects.toMatchObject(UNAVAILABLE), endConnections()])
    })
    await expect(holder).rejects.toMatchObject(UNAVAILABLE)
    expect((await store.agents.find('a'))?.failures).toBe(0)
  })

  test('while the server is away every request fails with that reason, and afterwards none', async () => {
    const [store] = await stores(1)
    await store.agents.enrol(agentRow(), undefined)
    await cluster().interrupt(async () => {
      for (let count = 0; count < 12; count++)
        await expect(store.agents.find('a')).rejects.toMatchObject(UNAVAILABLE)
    })
    expect(await store.agents.find('a')).toEqual(agentRow())
  })

  test('a text that cannot be stored is refused with the reason', async () => {
    const [store] = await stores(1)
    await expect(store.policies.find('a\0b')).rejects.toMatchObject({ code: 'malformed_request' })
  })
})
