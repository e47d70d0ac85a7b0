import { hash } from 'node:crypto'
import type {
  BootPolicyRow,
  RuntimePolicyRow,
  VerifierDatabase,
  VerifierSchema,
} from './databases/database.ts'
import { prepareQuery } from './databases/prepare-query.ts'

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

/** The columns of a row of each kind. */
const COLUMNS = {
  runtime_policies: ['name', 'tpm_policy', 'runtime_policy'],
  boot_policies: ['name', 'mb_policy'],
} as const

/** Columns added to a row: for a large text its digest usually suffices. */
const ADDED_COLUMNS = {
  runtime_policies: ({ runtime_policy }: RuntimePolicyRow) => ({
    digest: digestOf(runtime_policy),
  }),
  boot_policies: () => ({}),
} as const satisfies { [Table in PolicyTable]: (row: PolicyRows[Table]) => object }

/** SHA-256 of a text, hex. */
export function digestOf(text: string): string {
  return hash('sha256', text)
}

/** The result of a removal; a policy in use stays. */
type PolicyRemoval =
  | { readonly outcome: 'removed' | 'missing' }
  | { readonly outcome: 'in_use'; readonly by: string }

/** Policies of one kind by name. */
export interface PolicyStore<Row> {
  find(name: string): Promise<Row | undefined>
  names(): Promise<readonly string[]>
  /** False when the name is taken. */
  add(row: Row): Promise<boolean>
  /** False if there is none of that name. Its agents are evaluated against the new one from then on. */
  replace(row: Row): Promise<boolean>
  remove(name: string): Promise<PolicyRemoval>
}

export interface RuntimePolicyStore extends PolicyStore<RuntimePolicyRow> {
  /** A policy without its text, which may be large; undefined when there is none of that name. */
  brief(name: string): Promise<PolicyBrief | undefined>
}

export interface PolicyBrief {
  /** SHA-256 of the text, hex */
  readonly digest: string
  readonly tpm_policy: string | null
}

export function runtimePolicyStore(database: VerifierDatabase): RuntimePolicyStore {
  const brief = prepareQuery(database, (on, { name }: Pick<RuntimePolicyRow, 'name'>) =>
    on.selectFrom('runtime_policies').select(['digest', 'tpm_policy']).where('name', '=', name),
  )
  return {
    ...policyStore(database, 'runtime_policies'),
    brief: (name) => brief.first({ name }),
  }
}

export function policyStore<Table extends PolicyTable>(
  database: VerifierDatabase,
  table: Table,
): PolicyStore<PolicyRows[Table]> {
  return {
    async find(name) {
      const columns: readonly string[] = COLUMNS[table]
      const query = database
        .selectFrom<PolicyTable>(table)
        .select(columns as readonly 'name'[])
        .where('name', '=', name)
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
    async replace(row) {
      const { name, ...rest } = stored(table, row)
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
    .values(stored(table, row))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Inside a transaction: a policy in use stays. A transaction that is about to use it gets it, or waits until it is gone. */
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

function stored<Table extends PolicyTable>(table: Table, row: PolicyRows[Table]) {
  const addedTo = ADDED_COLUMNS[table] as (row: PolicyRows[Table]) => object
  return { ...row, ...addedTo(row) } as VerifierSchema[Table]
}
