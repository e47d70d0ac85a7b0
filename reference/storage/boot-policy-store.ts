import type { BootPolicyRow, VerifierDatabase } from './database.ts'
import type { PolicyRemoval } from './policy-store.ts'

/** Measured boot policies by name; runtime policies have names of their own. */
export interface BootPolicyStore {
  find(name: string): Promise<BootPolicyRow | undefined>
  names(): Promise<readonly string[]>
  /** False when the name is taken. */
  add(row: BootPolicyRow): Promise<boolean>
  /** False when there is none of that name. Who is judged by it is judged by the new one from then on. */
  replace(row: BootPolicyRow): Promise<boolean>
  remove(name: string): Promise<PolicyRemoval>
}

export function bootPolicyStore(database: VerifierDatabase): BootPolicyStore {
  return {
    find: (name) => findBootPolicy(database, name),
    async names() {
      const rows = await database
        .selectFrom('boot_policies')
        .select('name')
        .orderBy('name')
        .execute()
      return rows.map((row) => row.name)
    },
    add: (row) => addBootPolicy(database, row),
    async replace({ name, mb_policy }) {
      const result = await database
        .updateTable('boot_policies')
        .set({ mb_policy })
        .where('name', '=', name)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    remove: (name) =>
      database.transaction().execute((transaction) => removeBootPolicy(transaction, name)),
  }
}

/** Also inside a transaction. */
export function findBootPolicy(
  database: VerifierDatabase,
  name: string,
): Promise<BootPolicyRow | undefined> {
  return database
    .selectFrom('boot_policies')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
}

/** False when the name is taken; also inside a transaction. */
export async function addBootPolicy(
  database: VerifierDatabase,
  row: BootPolicyRow,
): Promise<boolean> {
  const result = await database
    .insertInto('boot_policies')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Inside a transaction: a policy in use stays. */
export async function removeBootPolicy(
  transaction: VerifierDatabase,
  name: string,
): Promise<PolicyRemoval> {
  const user = await transaction
    .selectFrom('agents')
    .select('agent_id')
    .where('mb_policy_name', '=', name)
    .orderBy('agent_id')
    .limit(1)
    .executeTakeFirst()
  if (user !== undefined) return { outcome: 'in_use', by: user.agent_id }
  const result = await transaction
    .deleteFrom('boot_policies')
    .where('name', '=', name)
    .executeTakeFirst()
  return { outcome: result.numDeletedRows > 0n ? 'removed' : 'missing' }
}
