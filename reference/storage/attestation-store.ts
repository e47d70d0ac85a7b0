import { sql } from 'kysely'
import { after, attestationQueries } from './attestation-queries.ts'
import { type Claim, claimStore } from './claims.ts'
import type { AgentRow, AttestationRow, VerifierDatabase } from './databases/database.ts'

/** The permanent name of an attestation: a new enrolment of the agent counts from 0 under another name. */
type AttestationKey = Pick<AttestationRow, 'agent_id' | 'index' | 'enrolment'>

/** An attestation that has no place in its agent's history yet. */
export type NewAttestation = Omit<AttestationRow, 'index' | 'bytes_before'>

export interface AttestationStore {
  find(agentId: string, index: number): Promise<AttestationRow | undefined>
  latest(agentId: string): Promise<AttestationRow | undefined>
  /** How far the latest is, without its evidence. */
  progress(agentId: string): Promise<Progress | undefined>
  /** From the oldest to the newest, few of them in memory at a time. */
  list(agentId: string): AsyncIterable<AttestationRow>
  /**
   * Gives the row the agent's next index, starting at 0; undefined when that enrolment has ended.
   * Of the rows before it the newest are kept whose evidence is at most `limit` bytes; one
   * whose evidence is being evaluated stays.
   */
  append(row: NewAttestation, limit: number): Promise<AttestationRow | undefined>
  /** Changes the row only while it is at `stage`, and its agent with it; false when it moved on meanwhile. */
  advance(
    key: AttestationKey,
    stage: string,
    change: Partial<AttestationRow>,
    agent?: Partial<AgentRow>,
  ): Promise<boolean>
  /** The same after the evaluation; only for the owner of the claim, which ends. */
  conclude(key: AttestationKey, stage: string, owner: string, change: Conclusion): Promise<boolean>
  /** Claims the attestation at `stage` that waited longest; undefined if none waits. */
  claim(stage: string, claim: Claim): Promise<AttestationRow | undefined>
  /** Gives a claim up; false when it was not that owner's any more. */
  release(key: AttestationKey, owner: string): Promise<boolean>
  /** All claims of that owner hold until then. */
  renew(owner: string, until: number): Promise<void>
  /** Gives up all claims of owners whose name begins so. */
  releaseOf(prefix: string): Promise<void>
  /** How many are at `stage`. */
  waiting(stage: string): Promise<number>
}

export type Progress = Pick<AttestationRow, 'stage' | 'evidence_received_at'>

export interface Conclusion {
  readonly attestation: Partial<AttestationRow>
  /** Changes the agent, given its current row. */
  agent(agent: AgentRow): Partial<AgentRow>
}

/** Thrown inside a transaction to roll it back. */
class Overtaken extends Error {}

export function attestationStore(database: VerifierDatabase): AttestationStore {
  const queries = attestationQueries(database)
  const claims = claimStore(database)
  /** Runs a transaction and rolls it back if another one was first. */
  const wholly = async (act: (transaction: VerifierDatabase) => Promise<void>) => {
    try {
      await database.transaction().execute(act)
      return true
    } catch (error) {
      if (error instanceof Overtaken) return false
      throw error
    }
  }
  return {
    find: (agent_id, index) => queries.find.first({ agent_id, index }),
    latest: (agent_id) => queries.latest.first({ agent_id }),
    progress: (agent_id) => queries.progress.first({ agent_id }),
    async *list(agent_id) {
      for (let index = -1; ; ) {
        const rows = await queries.following.all({ agent_id, index })
        yield* rows
        const last = rows.at(-1)
        if (last === undefined) return
        index = last.index
      }
    },
    append: (row, limit) =>
      database.transaction().execute(async (transaction) => {
        const agent = await queries.holdEnrolment.first(row, transaction)
        if (agent?.enrolment !== row.enrolment) return undefined
        const numbered = { ...row, ...after(await queries.last.first(row, transaction)) }
        const over = numbered.bytes_before - limit
        if (over > 0)
          await queries.prune.changes({ agent_id: row.agent_id, bytes: over }, transaction)
        await queries.insert(numbered, {}, transaction)
        return numbered
      }),
    advance: (key, stage, attestation, agent) =>
      agent === undefined
        ? queries.advance(attestation, { ...key, stage })
        : wholly(async (transaction) => {
            // The agent first: every transaction that changes its attestations locks it.
            must(await queries.changeAgent(agent, key, transaction))
            must(await queries.advance(attestation, { ...key, stage }, transaction))
          }),
    conclude: (key, stage, owner, change) =>
      wholly(async (transaction) => {
        const agent = await queries.holdAgent.first(key, transaction)
        if (agent?.enrolment !== key.enrolment) throw new Overtaken()
        must(await queries.advance(change.attestation, { ...key, stage }, transaction))
        // The claim comes last, as for who claims.
        must(await claims.drop(key, owner, transaction))
        await queries.changeAgent(change.agent(agent), key, transaction)
      }),
    claim: (stage, claim) => claims.claim(stage, claim),
    release: (key, owner) => claims.drop(key, owner),
    async renew(owner, until) {
      await database
        .updateTable('claims')
        .set({ expires_at: until })
        .where('owner', '=', owner)
        .execute()
    },
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

/** Aborts a transaction whose precondition does not hold. */
function must(holds: boolean): void {
  if (!holds) throw new Overtaken()
}
