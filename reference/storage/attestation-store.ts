import { sql } from 'kysely'
import { holdAgent } from './agent-store.ts'
import { type Claim, claimNext, dropClaim } from './claims.ts'
import type { AgentRow, AttestationRow, VerifierDatabase } from './database.ts'

/** Names one attestation for ever: a new enrolment of the agent counts from 0 under another name. */
export type AttestationKey = Pick<AttestationRow, 'agent_id' | 'index' | 'enrolment'>

export interface AttestationStore {
  find(agentId: string, index: number): Promise<AttestationRow | undefined>
  latest(agentId: string): Promise<AttestationRow | undefined>
  /** How far the latest is, without its evidence. */
  progress(agentId: string): Promise<Progress | undefined>
  list(agentId: string): Promise<readonly AttestationRow[]>
  /**
   * Gives the row the agent's next index, starting at 0; undefined when that enrolment has ended.
   * Of the rows before it the newest are kept whose evidence is `room` bytes at the most; one
   * whose evidence is being evaluated stays.
   */
  append(row: Omit<AttestationRow, 'index'>, room: number): Promise<AttestationRow | undefined>
  /** Changes the row only while it is at `stage`, and its agent with it; false when it moved on meanwhile. */
  advance(
    key: AttestationKey,
    stage: string,
    change: Partial<AttestationRow>,
    agent?: Partial<AgentRow>,
  ): Promise<boolean>
  /** The same, once it is judged; only by who has claimed it, whose claim ends. */
  conclude(key: AttestationKey, stage: string, owner: string, change: Conclusion): Promise<boolean>
  /** Takes the one at `stage` that waited longest, so that nobody else does; undefined when none waits. */
  claim(stage: string, claim: Claim): Promise<AttestationRow | undefined>
  /** Gives a claim up; false when it was not that owner's any more. */
  release(key: AttestationKey, owner: string): Promise<boolean>
  /** Gives up all claims of owners whose name begins so. */
  releaseOf(prefix: string): Promise<void>
  /** How many are at `stage`. */
  waiting(stage: string): Promise<number>
}

export type Progress = Pick<AttestationRow, 'stage' | 'evidence_received_at'>

export interface Conclusion {
  readonly attestation: Partial<AttestationRow>
  /** By what the agent is at that moment. */
  agent(agent: AgentRow): Partial<AgentRow>
}

/** Thrown inside a transaction, so that what was already written is taken back. */
class ClaimLost extends Error {}

export function attestationStore(database: VerifierDatabase): AttestationStore {
  const ofAgent = (agentId: string) =>
    database.selectFrom('attestations').selectAll().where('agent_id', '=', agentId)
  return {
    find: (agentId, index) => ofAgent(agentId).where('index', '=', index).executeTakeFirst(),
    latest: (agentId) => ofAgent(agentId).orderBy('index', 'desc').limit(1).executeTakeFirst(),
    progress: (agentId) =>
      database
        .selectFrom('attestations')
        .select(['stage', 'evidence_received_at'])
        .where('agent_id', '=', agentId)
        .orderBy('index', 'desc')
        .limit(1)
        .executeTakeFirst(),
    list: (agentId) => ofAgent(agentId).orderBy('index').execute(),
    append: (row, room) =>
      database.transaction().execute(async (transaction) => {
        const agent = await holdAgent(transaction, row.agent_id)
        if (agent?.enrolment !== row.enrolment) return undefined
        const numbered = { ...row, index: await nextIndex(transaction, row.agent_id) }
        await prune(transaction, row.agent_id, room)
        await transaction.insertInto('attestations').values(numbered).execute()
        return numbered
      }),
    advance: (key, stage, attestation, agent) =>
      agent === undefined
        ? advance(database, key, stage, attestation)
        : advanceBoth(database, key, stage, { attestation, agent: () => agent }),
    conclude: (key, stage, owner, change) => advanceBoth(database, key, stage, change, owner),
    claim: (stage, claim) => claimNext(database, stage, claim),
    release: (key, owner) => dropClaim(database, key, owner),
    async releaseOf(prefix) {
      await database.deleteFrom('claims').where('owner', 'like', `${prefix}%`).execute()
    },
    async waiting(stage) {
      const query = database
        .selectFrom('attestations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('stage', '=', sql.lit(stage))
      return Number((await query.executeTakeFirstOrThrow()).count)
    },
  }
}

/** `owner`: of whose claim it takes to do so, and which ends with it. */
async function advanceBoth(
  database: VerifierDatabase,
  key: AttestationKey,
  stage: string,
  change: Conclusion,
  owner?: string,
): Promise<boolean> {
  try {
    return await database.transaction().execute(async (transaction) => {
      // Held before the attestation, as whoever appends or removes does it; the claim comes last, as for who claims.
      const agent = await holdAgent(transaction, key.agent_id)
      if (agent?.enrolment !== key.enrolment) return false
      if (!(await advance(transaction, key, stage, change.attestation))) return false
      if (owner !== undefined && !(await dropClaim(transaction, key, owner))) throw new ClaimLost()
      await transaction
        .updateTable('agents')
        .set(change.agent(agent))
        .where('agent_id', '=', key.agent_id)
        .execute()
      return true
    })
  } catch (error) {
    if (error instanceof ClaimLost) return false
    throw error
  }
}

/** Bytes that a row takes beside its evidence. */
const ROW = 1024

async function prune(database: VerifierDatabase, agentId: string, room: number): Promise<void> {
  const rows = await database
    .selectFrom('attestations')
    .select(['index', 'stage', ({ fn }) => fn<number>('octet_length', ['evidence']).as('size')])
    .where('agent_id', '=', agentId)
    .orderBy('index', 'desc')
    .execute()
  let left = room
  const dropped = rows.filter(({ stage, size }) => {
    left -= ROW + size
    return left < 0 && stage !== 'evaluating_evidence'
  })
  if (dropped.length === 0) return
  const indexes = dropped.map(({ index }) => index)
  await database
    .deleteFrom('attestations')
    .where('agent_id', '=', agentId)
    .where('index', 'in', indexes)
    .execute()
}

async function nextIndex(transaction: VerifierDatabase, agentId: string): Promise<number> {
  const last = await transaction
    .selectFrom('attestations')
    .select('index')
    .where('agent_id', '=', agentId)
    .orderBy('index', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last === undefined ? 0 : last.index + 1
}

async function advance(
  database: VerifierDatabase,
  key: AttestationKey,
  stage: string,
  change: Partial<AttestationRow>,
): Promise<boolean> {
  const result = await database
    .updateTable('attestations')
    .set(change)
    .where('agent_id', '=', key.agent_id)
    .where('index', '=', key.index)
    .where('enrolment', '=', key.enrolment)
    .where('stage', '=', stage)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
