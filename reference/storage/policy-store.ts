import type { BootPolicyRow, RuntimePolicyRow, VerifierDatabase } from './database.ts'

/** The kinds of policy, by their tables; names of one kind are not those of another. */
interface PolicyRows {
  readonly runtime_policies: RuntimePolicyRow
  readonly boot_policies: BootPolicyRow
}

export type PolicyTable = keyof PolicyRows

/** The member of an agent that names a policy of each kind. */
export const POLICY_LINKS = {
  runtime_policies: 'runtime_policy_name',
  boot_policies: 'mb_policy_name',
} as const satisfies Record<PolicyTable, string>

/** What came of a removal; a policy in use stays. */
export type PolicyRemoval =
  | { readonly outcome: 'removed' | 'missing' }
  | { readonly outcome: 'in_use'; readonly by: string }

/** Policies of one kind by name. */
export interface PolicyStore<Row> {
  find(name: string): Promise<Row | undefined>
  names(): Promise<readonly string[]>
  /** False when the name is taken. */
  add(row: Row): Promise<boolean>
  /** False when there is none of that name. Who is judged by it is judged by the new one from then on. */
  replace(row: Row): Promise<boolean>
  remove(name: string): Promise<PolicyRemoval>
}

export function policyStore<Table extends PolicyTable>(
  database: VerifierDatabase,
  table: Table,
): PolicyStore<PolicyRows[Table]> {
  return {
    async find(name) {
      const query = database.selectFrom<PolicyTable>(table).selectAll().where('name', '=', name)
      return (await query.executeTakeFirst()) as PolicyRows[Table] | undefined
    },
    async names() {
      const rows = await database
        .selectFrom<PolicyTable>(table)
        .select('name')
        .orderBy('name')
        .execute()
      return rows.map((row) => row.name)
    },
    add: (row) => addPolicy(database, table, row),
    async replace({ name, ...rest }) {
      const query = database.updateTable<PolicyTable>(table).set(rest).where('name', '=', name)
      return (await query.executeTakeFirst()).numUpdatedRows > 0n
    },
    remove: (name) =>
      database.transaction().execute((transaction) => removePolicy(transaction, table, name)),
  }
}

/** Inside a transaction: whether there is one of that name, which then stays until the end of it. */
export async function holdPolicy(
  transaction: VerifierDatabase,
  table: PolicyTable,
  name: string,
): Promise<boolean> {
  const query = transaction.selectFrom(table).select('name').where('name', '=', name).forShare()
  return (await query.executeTakeFirst()) !== undefined
}

/** False when the name is taken; also inside a transaction. */
export async function addPolicy<Table extends PolicyTable>(
  database: VerifierDatabase,
  table: Table,
  row: PolicyRows[Table],
): Promise<boolean> {
  const result = await database
    .insertInto<PolicyTable>(table)
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Inside a transaction: a policy in use stays. Whoever is about to use it has it, or waits until it is gone. */
export async function removePolicy(
  transaction: VerifierDatabase,
  table: PolicyTable,
  name: string,
): Promise<PolicyRemoval> {
  const held = transaction.selectFrom(table).select('name').where('name', '=', name).forUpdate()
  if ((await held.executeTakeFirst()) === undefined) return { outcome: 'missing' }
  const user = await transaction
    .selectFrom('agents')
    .select('agent_id')
    .where(POLICY_LINKS[table], '=', name)
    .orderBy('agent_id')
    .limit(1)
    .executeTakeFirst()
  if (user !== undefined) return { outcome: 'in_use', by: user.agent_id }
  await transaction.deleteFrom(table).where('name', '=', name).execute()
  return { outcome: 'removed' }
}
