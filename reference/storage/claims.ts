import { type ExpressionBuilder, sql } from 'kysely'
import type { AttestationRow, VerifierDatabase, VerifierSchema } from './databases/database.ts'
import { type Prepared, prepareQuery } from './databases/prepare-query.ts'

/** Who works at something, until when; times in milliseconds. */
export interface Claim {
  readonly owner: string
  readonly now: number
  readonly until: number
}

type Key = Pick<AttestationRow, 'agent_id' | 'index' | 'enrolment'>

/** Who evaluates which attestation. */
interface ClaimStore {
  /**
   * Claims the attestation at `stage` whose evidence came first, among the unclaimed ones; undefined when
   * there is none, or another was quicker. An agent's attestations are claimed in order, as each begins where
   * the last one ended.
   */
  claim(stage: string, claim: Claim): Promise<AttestationRow | undefined>
  /** Ends a claim; false when it is not that owner's any more. */
  drop(key: Key, owner: string, on?: VerifierDatabase): Promise<boolean>
}

export function claimStore(database: VerifierDatabase): ClaimStore {
  const claiming = new Map<string, Prepared<Claim, Key, VerifierSchema>>()
  const at = (stage: string) => {
    const known = claiming.get(stage) ?? prepareQuery(database, claimFirst(stage))
    claiming.set(stage, known)
    return known
  }
  const claimed = prepareQuery(database, (on, key: Key) =>
    on
      .selectFrom('attestations')
      .selectAll()
      .where('agent_id', '=', key.agent_id)
      .where('index', '=', key.index)
      .where('enrolment', '=', key.enrolment),
  )
  const drop = prepareQuery(database, (on, key: Key & Pick<Claim, 'owner'>) =>
    on
      .deleteFrom('claims')
      .where('agent_id', '=', key.agent_id)
      .where('index', '=', key.index)
      .where('enrolment', '=', key.enrolment)
      .where('owner', '=', key.owner),
  )
  return {
    async claim(stage, claim) {
      const key = await at(stage).first(claim)
      return key && claimed.first(key)
    },
    drop: async (key, owner, on) => (await drop.changes({ ...key, owner }, on)) > 0,
  }
}

function claimFirst(stage: string) {
  return (database: VerifierDatabase, claim: Claim) =>
    database
      .insertInto('claims')
      .columns(['agent_id', 'index', 'enrolment', 'owner', 'expires_at'])
      .expression(firstUnclaimed(database, stage, claim))
      .onConflict((conflict) =>
        conflict
          .columns(['agent_id', 'index', 'enrolment'])
          .doUpdateSet({ owner: claim.owner, expires_at: claim.until })
          .where('claims.expires_at', '<=', claim.now),
      )
      .returning(['agent_id', 'index', 'enrolment'])
}

function firstUnclaimed(database: VerifierDatabase, stage: string, { owner, now, until }: Claim) {
  // A partial index is used only if its condition is in the query text.
  const atStage = sql.lit(stage)
  return database
    .selectFrom('attestations')
    .select([
      'attestations.agent_id',
      'attestations.index',
      'attestations.enrolment',
      sql<string>`cast(${owner} as text)`.as('owner'),
      sql<number>`cast(${until} as bigint)`.as('expires_at'),
    ])
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
