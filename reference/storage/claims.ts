import { type ExpressionBuilder, sql } from 'kysely'
import type { AttestationRow, VerifierDatabase, VerifierSchema } from './database.ts'

/** Who works at something, until when; times in milliseconds. */
export interface Claim {
  readonly owner: string
  readonly now: number
  readonly until: number
}

type Key = Pick<AttestationRow, 'agent_id' | 'index' | 'enrolment'>

/** Claims that the queue may have lost to another before one is got. */
const TRIES = 8

/**
 * Claims the attestation at `stage` whose evidence came first, among those that nobody has claimed; undefined when
 * there is none. One of an agent goes after its earlier ones are over, as each begins where the last one ended.
 */
export async function claimNext(
  database: VerifierDatabase,
  stage: string,
  claim: Claim,
): Promise<AttestationRow | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const taken = await database.transaction().execute(async (transaction) => {
      const row = await firstUnclaimed(transaction, stage, claim.now)
      if (row === undefined) return { row }
      return { row: (await insertClaim(transaction, row, claim)) ? row : ('lost' as const) }
    })
    if (taken.row !== 'lost') return taken.row
  }
  return undefined
}

function firstUnclaimed(transaction: VerifierDatabase, stage: string, now: number) {
  // A partial index is used where its condition stands in the query itself.
  const atStage = sql.lit(stage)
  return transaction
    .selectFrom('attestations')
    .selectAll()
    .where('attestations.stage', '=', atStage)
    .where(({ not, exists }) => not(exists(claimOf(now))))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attestations as earlier')
            .select('earlier.index')
            .whereRef('earlier.agent_id', '=', 'attestations.agent_id')
            .whereRef('earlier.index', '<', 'attestations.index')
            .where('earlier.stage', '=', atStage),
        ),
      ),
    )
    .orderBy('attestations.evidence_received_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** A claim on an attestation of the query around it that still holds. */
function claimOf(now: number) {
  return ({ selectFrom }: ExpressionBuilder<VerifierSchema, 'attestations'>) =>
    selectFrom('claims')
      .select('claims.owner')
      .whereRef('claims.agent_id', '=', 'attestations.agent_id')
      .whereRef('claims.index', '=', 'attestations.index')
      .whereRef('claims.enrolment', '=', 'attestations.enrolment')
      .where('claims.expires_at', '>', now)
}

/** False when somebody else was first, whose claim could not be seen yet. */
async function insertClaim(
  transaction: VerifierDatabase,
  { agent_id, index, enrolment }: Key,
  { owner, now, until }: Claim,
): Promise<boolean> {
  const result = await transaction
    .insertInto('claims')
    .values({ agent_id, index, enrolment, owner, expires_at: until })
    .onConflict((conflict) =>
      conflict
        .columns(['agent_id', 'index', 'enrolment'])
        .doUpdateSet({ owner, expires_at: until })
        .where('claims.expires_at', '<=', now),
    )
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Ends a claim; false when it is not that owner's any more. */
export async function dropClaim(
  database: VerifierDatabase,
  { agent_id, index, enrolment }: Key,
  owner: string,
): Promise<boolean> {
  const result = await database
    .deleteFrom('claims')
    .where('agent_id', '=', agent_id)
    .where('index', '=', index)
    .where('enrolment', '=', enrolment)
    .where('owner', '=', owner)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
