import type { RegistrarDatabase, RegistrationRow } from './databases/database.ts'

type Change = (present: RegistrationRow | undefined) => RegistrationRow | undefined

/** The records of the registrar. */
export interface RegistrarStore {
  find(agentId: string): Promise<RegistrationRow | undefined>
  /** Ids of the agents that were activated, sorted by value (ambiguities UNACTIVATED and UUIDORDER). */
  list(): Promise<readonly string[]>
  /**
   * Inserts or replaces under one transaction: `change` sees the present row and gives the next. It is asked again
   * if another registration took the id meanwhile.
   */
  change(agentId: string, change: Change): Promise<RegistrationRow | undefined>
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
        .where('active', '=', 1)
        .orderBy('agent_id')
        .execute()
      return rows.map((row) => row.agent_id)
    },
    async change(agentId, change) {
      for (;;) {
        const changed = await database
          .transaction()
          .execute((transaction) => changeOnce(transaction, agentId, change))
        if (changed !== 'taken') return changed
      }
    },
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

/** Locks an existing row until the end; a missing row cannot be locked, so another insert may come first. */
async function changeOnce(
  transaction: RegistrarDatabase,
  agentId: string,
  change: Change,
): Promise<RegistrationRow | 'taken' | undefined> {
  const present = await transaction
    .selectFrom('registrations')
    .selectAll()
    .where('agent_id', '=', agentId)
    .forUpdate()
    .executeTakeFirst()
  const next = change(present)
  if (next === undefined) return undefined
  if (present !== undefined) {
    await transaction
      .updateTable('registrations')
      .set(next)
      .where('agent_id', '=', agentId)
      .execute()
    return next
  }
  const result = await transaction
    .insertInto('registrations')
    .values(next)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n ? next : 'taken'
}
