import { join } from 'node:path'
import { describe, onTestFinished } from 'vitest'
import { openRegistrations } from '../../testing/open-store.ts'
import { pglitePlace } from '../../testing/pglite-place.ts'
import { HAS_POSTGRES, startPostgres } from '../../testing/postgres-cluster.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import {
  migrateRegistrar,
  migrateVerifier,
  openRegistrarDatabase,
  openVerifierDatabase,
  type VerifierDatabase,
} from '../database.ts'
import { registrationContract } from './registrations.ts'
import { serverContract, verifierContract } from './server.ts'

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

async function openUntilDone(file: string): Promise<VerifierDatabase> {
  const database = await openVerifierDatabase(file)
  onTestFinished(() => database.destroy())
  return database
}
