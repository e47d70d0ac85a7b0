import { describe } from 'vitest'
import { HAS_POSTGRES, startPostgres } from '../../dev/testing/storage/postgres-cluster.ts'
import { openRegistrarDatabase, openVerifierDatabase } from '../databases/database.ts'
import { serverContract } from './server.ts'

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
