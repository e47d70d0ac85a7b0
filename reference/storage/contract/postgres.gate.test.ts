import { describe } from 'vitest'
import { HAS_POSTGRES, startPostgres } from '../../testing/postgres-cluster.ts'
import { openRegistrarDatabase, openVerifierDatabase } from '../database.ts'
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
