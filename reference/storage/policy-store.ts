import type { RuntimePolicyRow, VerifierDatabase } from './database.ts'

/** What came of a removal; a policy in use stays. */
export type PolicyRemoval =
  | { readonly outcome: 'removed' | 'missing' }
  | { readonly outcome: 'in_use'; readonly by: string }

export interface PolicyStore {
  find(name: string): Promise<RuntimePolicyRow | undefined>
  names(): Promise<readonly string[]>
  /** False when the name is taken. */
  add(row: RuntimePolicyRow): Promise<boolean>
  remove(name: string): Promise<PolicyRemoval>
}

export function policyStore(database: VerifierDatabase): PolicyStore {
  return {
    find: (name) => findPolicy(database, name),
    async names() {
      const rows = await database
        .selectFrom('runtime_policies')
        .select('name')
        .orderBy('name')
        .execute()
      return rows.map((row) => row.name)
    },
    add: (row) => addPolicy(database, row),
    remove: (name) =>
      database.transaction().execute((transaction) => removePolicy(transaction, name)),
  }
}

/** Also inside a transaction. */
export function findPolicy(
  database: VerifierDatabase,
  name: string,
): Promise<RuntimePolicyRow | undefined> {
  return database
    .selectFrom('runtime_policies')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
}

/** False when the name is taken; also inside a transaction. */
export async function addPolicy(
  database: VerifierDatabase,
  row: RuntimePolicyRow,
): Promise<boolean> {
  const result = await database
    .insertInto('runtime_policies')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Inside a transaction: a policy in use stays. */
export async function removePolicy(
  transaction: VerifierDatabase,
  name: string,
): Promise<PolicyRemoval> {
  const user = await transaction
    .selectFrom('agents')
    .select('agent_id')
    .where('runtime_policy_name', '=', name)
    .orderBy('agent_id')
    .limit(1)
    .executeTakeFirst()
  if (user !== undefined) return { outcome: 'in_use', by: user.agent_id }
  const result = await transaction
    .deleteFrom('runtime_policies')
    .where('name', '=', name)
    .executeTakeFirst()
  return { outcome: result.numDeletedRows > 0n ? 'removed' : 'missing' }
}
