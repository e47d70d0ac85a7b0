import type { RegistrarDatabase, RegistrationRow } from './database.ts'

/** What an operation of the registrar may do to its records. */
export interface RegistrarStore {
  find(agentId: string): Promise<RegistrationRow | undefined>
  /** Ids of all agents, activated or not, sorted by value (ambiguities UNACTIVATED and UUIDORDER). */
  list(): Promise<readonly string[]>
  /** Inserts or replaces under one transaction: `change` sees the present row and gives the next. */
  change(
    agentId: string,
    change: (present: RegistrationRow | undefined) => RegistrationRow | undefined,
  ): Promise<RegistrationRow | undefined>
  remove(agentId: string): Promise<boolean>
  close(): Promise<void>
}

export function registrarStore(database: RegistrarDatabase): RegistrarStore {
  const find = (agentId: string) =>
    database
      .selectFrom('registrations')
      .selectAll()
      .where('agent_id', '=', agentId)
      .executeTakeFirst()
  return {
    find,
    async list() {
      const rows = await database
        .selectFrom('registrations')
        .select('agent_id')
        .orderBy('agent_id')
        .execute()
      return rows.map((row) => row.agent_id)
    },
    change: (agentId, change) =>
      database.transaction().execute(async (transaction) => {
        const present = await transaction
          .selectFrom('registrations')
          .selectAll()
          .where('agent_id', '=', agentId)
          .executeTakeFirst()
        const next = change(present)
        if (next === undefined) return undefined
        await transaction
          .insertInto('registrations')
          .values(next)
          .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(next))
          .execute()
        return next
      }),
    async remove(agentId) {
      const result = await database
        .deleteFrom('registrations')
        .where('agent_id', '=', agentId)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    close: () => database.destroy(),
  }
}
