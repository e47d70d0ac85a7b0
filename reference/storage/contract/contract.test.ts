import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { openRegistrations } from '../../testing/open-store.ts'
import { pglitePlace } from '../../testing/pglite-place.ts'
import { HAS_POSTGRES, startPostgres } from '../../testing/postgres-cluster.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import {
  migrateRegistrar,
  migrateVerifier,
  openRegistrarDatabase,
  openVerifierDatabase,
  type RegistrarDatabase,
  type VerifierDatabase,
} from '../database.ts'
import { openSessionStore } from '../open-session-store.ts'
import { registrarStore } from '../registrar-store.ts'
import { verifierStore } from '../verifier-store.ts'
import { agentContract } from './agents.ts'
import { attestationContract } from './attestations.ts'
import { bootPolicyContract } from './boot-policies.ts'
import { databaseContract } from './databases.ts'
import { openSessionContract } from './open-sessions.ts'
import { registrationContract } from './registrations.ts'

describe('in memory', () => {
  verifierContract(() => openUntilDone(':memory:'))
  registrationContract(() => openRegistrations(':memory:'))
})

describe('in a file', () => {
  const file = () => join(temporaryDirectory(), 'db.sqlite')
  verifierContract(() => openUntilDone(file()))
  registrationContract(() => openRegistrations(file()))
})

describe('in PGlite', () => {
  serverContract(async () => ({
    verifier: await migrateVerifier(await pglitePlace()),
    registrar: await migrateRegistrar(await pglitePlace()),
    stop: () => Promise.resolve(),
  }))
})

describe.skipIf(!HAS_POSTGRES)('in PostgreSQL', () => {
  serverContract(async () => {
    const cluster = await startPostgres()
    return {
      verifier: await openVerifierDatabase(await cluster.createDatabase()),
      registrar: await openRegistrarDatabase(await cluster.createDatabase()),
      stop: cluster.stop,
    }
  })
})

interface Started {
  readonly verifier: VerifierDatabase
  readonly registrar: RegistrarDatabase
  stop(): Promise<void>
}

/** One start for all tests, each of which finds the tables empty. */
function serverContract(start: () => Promise<Started>): void {
  let started: Started | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => {
    await started?.verifier.destroy()
    await started?.registrar.destroy()
    await started?.stop()
  })
  const at = (): Started => {
    if (started === undefined) throw new Error('the database is not started')
    return started
  }
  verifierContract(async () => {
    const { verifier } = at()
    await sql`truncate agents, runtime_policies, boot_policies, sessions, attestations, claims,
      open_sessions, secrets`.execute(verifier)
    return verifier
  })
  registrationContract(async () => {
    const { registrar } = at()
    await sql`truncate registrations`.execute(registrar)
    return registrarStore(registrar)
  })
}

async function openUntilDone(file: string): Promise<VerifierDatabase> {
  const database = await openVerifierDatabase(file)
  onTestFinished(() => database.destroy())
  return database
}

function verifierContract(open: () => Promise<VerifierDatabase>): void {
  const store = async () => verifierStore(await open())
  databaseContract(open)
  agentContract(store)
  attestationContract(store)
  bootPolicyContract(store)
  openSessionContract(async (limits) => openSessionStore(await open(), limits))
}
