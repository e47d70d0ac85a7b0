import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import type { RegistrarDatabase, VerifierDatabase } from '../databases/database.ts'
import { openSessionStore } from '../open-session-store.ts'
import { registrarStore } from '../registrar-store.ts'
import { verifierStore } from '../verifier-store.ts'
import { agentContract } from './agents.ts'
import { attestationContract } from './attestations.ts'
import { bootPolicyContract } from './boot-policies.ts'
import { databaseContract } from './databases.ts'
import { openSessionContract } from './open-sessions.ts'
import { registrationContract } from './registrations.ts'

/** A database of each component, and what ends the server of both. */
interface Started {
  readonly verifier: VerifierDatabase
  readonly registrar: RegistrarDatabase
  stop(): Promise<void>
}

/** What holds of both components on a database server. One start for all tests, each of which finds the tables empty. */
export function serverContract(start: () => Promise<Started>): void {
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
      open_sessions, secrets, listening`.execute(verifier)
    return verifier
  })
  registrationContract(async () => {
    const { registrar } = at()
    await sql`truncate registrations`.execute(registrar)
    return registrarStore(registrar)
  })
}

/** What holds of all stores of a verifier. */
export function verifierContract(open: () => Promise<VerifierDatabase>): void {
  const store = async () => verifierStore(await open())
  databaseContract(open)
  agentContract(store)
  attestationContract(store)
  bootPolicyContract(store)
  openSessionContract(async (limits) => openSessionStore(await open(), limits))
}
