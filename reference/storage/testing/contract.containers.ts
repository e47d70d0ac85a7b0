import { randomBytes } from 'node:crypto'
import {
  GenericContainer,
  getContainerRuntimeClient,
  type StartedTestContainer,
  Wait,
} from 'testcontainers'
import { describe } from 'vitest'
import { askPostgres } from '../../dev/testing/storage/postgres-cluster.ts'
import { openRegistrarDatabase, openVerifierDatabase } from '../databases/database.ts'
import { serverContract } from './server.ts'

/** Any image with a PostgreSQL server and an account `postgres`. */
const IMAGE = process.env['ASSAY_POSTGRES_IMAGE'] ?? 'postgres:17'

const PORT = 5432
const START = 120_000

/** An image must have the programs, on PATH or where Debian installs them. */
const SERVE = `set -e
PATH="$PATH:$(echo /usr/lib/postgresql/*/bin)"
umask 077
printf %s "$OWNER_PASSWORD" > /tmp/password
initdb -D /tmp/data -U assay --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync
echo 'host all all all scram-sha-256' >> /tmp/data/pg_hba.conf
exec postgres -D /tmp/data -c listen_addresses='*' -c unix_socket_directories= -c fsync=off`

/** Why there is no engine; undefined where there is one. */
async function whyNoEngine(): Promise<string | undefined> {
  try {
    await getContainerRuntimeClient()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const missing = await whyNoEngine()
if (missing !== undefined) console.error(`skipped, as no container can be started: ${missing}`)

describe.skipIf(missing !== undefined)(`in ${IMAGE}`, () => {
  serverContract(async () => {
    const password = randomBytes(16).toString('hex')
    const container = await new GenericContainer(IMAGE)
      .withUser('postgres')
      .withEnvironment({ OWNER_PASSWORD: password })
      .withCommand(['sh', '-c', SERVE])
      .withExposedPorts(PORT)
      .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections'))
      .withStartupTimeout(START)
      .start()
    const url = (name: string) => urlOf(container, password, name)
    for (const name of ['verifier', 'registrar'])
      await askPostgres(url('postgres'), `create database ${name}`)
    return {
      verifier: await openVerifierDatabase(url('verifier')),
      registrar: await openRegistrarDatabase(url('registrar')),
      stop: async () => {
        await container.stop()
      },
    }
  })
})

function urlOf(container: StartedTestContainer, password: string, name: string): string {
  const place = `${container.getHost()}:${container.getMappedPort(PORT)}`
  return `postgres://assay:${password}@${place}/${name}?sslmode=disable`
}
