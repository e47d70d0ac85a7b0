import { join } from 'node:path'
import { describe, onTestFinished } from 'vitest'
import { openRegistrations } from '../../dev/testing/storage/open-store.ts'
import { pglitePlace } from '../../dev/testing/storage/pglite-place.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import {
  migrateRegistrar,
  migrateVerifier,
  openVerifierDatabase,
  type VerifierDatabase,
} from '../databases/database.ts'
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

/** The full gate has a PostgreSQL server, see postgres.gate.test.ts. */
if (process.env['ASSAY_TESTS'] !== 'all') {
  describe('in PGlite', () => {
    serverContract(async () => ({
      verifier: await migrateVerifier(await pglitePlace()),
      registrar: await migrateRegistrar(await pglitePlace()),
      stop: () => Promise.resolve(),
    }))
  })
}

async function openUntilDone(file: string): Promise<VerifierDatabase> {
  const database = await openVerifierDatabase(file)
  onTestFinished(() => database.destroy())
  return database
}
