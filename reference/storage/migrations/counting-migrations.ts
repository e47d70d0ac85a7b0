import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/** The cost of a cycle must not grow with the stored attestations of its agent. */
export async function countEvidence(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('attestations')
    .addColumn('bytes_before', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update attestations set bytes_before = earlier.bytes from (
    select agent_id, "index", coalesce(sum(1024 + octet_length(evidence)) over (
      partition by agent_id order by "index" rows between unbounded preceding and 1 preceding), 0) as bytes
    from attestations) as earlier
    where attestations.agent_id = earlier.agent_id and attestations."index" = earlier."index"`.execute(
    db,
  )
  await sql`create index attestations_by_room on attestations (agent_id, bytes_before)`.execute(db)
  await sql`create index attestations_in_hand on attestations (agent_id, "index")
    where stage = 'evaluating_evidence'`.execute(db)
}

/** One policy after the other, as each may be large. */
export async function addPolicyDigests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('runtime_policies')
    .addColumn('digest', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  const policies = await sql<{ name: string }>`select name from runtime_policies`.execute(db)
  for (const { name } of policies.rows) {
    const { rows } = await sql<{ text: string }>`
      select runtime_policy as text from runtime_policies where name = ${name}`.execute(db)
    const digest = hash('sha256', rows[0]?.text ?? '')
    await sql`update runtime_policies set digest = ${digest} where name = ${name}`.execute(db)
  }
}
