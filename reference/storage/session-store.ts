import { sql } from 'kysely'
import type { AgentRow, SessionRow, VerifierDatabase } from './databases/database.ts'
import { prepareQuery } from './databases/prepare-query.ts'

/** What a proof of possession is checked against. */
export type EnrolledKey = Pick<
  AgentRow,
  | 'enrolment'
  | 'ak_tpm'
  | 'accept_tpm_hash_algs'
  | 'accept_tpm_encryption_algs'
  | 'accept_tpm_signing_algs'
>

/** A session with its token, and the current enrolment of its agent. */
export interface GrantedSession extends SessionRow {
  /** Null when the agent is gone. */
  readonly present_enrolment: string | null
}

/** Sessions whose proof passed. Those that wait for one are not written down. */
export interface SessionStore {
  /** The key that is enrolled under an id; as much work for an unknown id. */
  keyOf(agentId: string): Promise<EnrolledKey | undefined>
  find(id: string): Promise<GrantedSession | undefined>
  /** False if the agent was deleted or enrolled again meanwhile: no token is granted then. */
  grant(row: SessionRow): Promise<boolean>
  /** Extends the newest live token of the agent's enrolment; an older one dies when its time comes. */
  extend(agentId: string, expiresAt: number, now: number): Promise<void>
  /** Skips those that another transaction is removing. */
  removeExpired(now: number): Promise<void>
}

export function sessionStore(database: VerifierDatabase): SessionStore {
  const queries = sessionQueries(database)
  return {
    keyOf: (agent_id) => queries.keyOf.first({ agent_id }),
    find: (id) => queries.find.first({ id }),
    grant: (row) => grant(database, row),
    async extend(agent_id, token_expires_at, now) {
      await queries.extend.changes({ agent_id, token_expires_at, now })
    },
    async removeExpired(now) {
      const expired = database.selectFrom('sessions').select('id')
      const those = expired.where('token_expires_at', '<=', now).forUpdate().skipLocked()
      await database.deleteFrom('sessions').where('id', 'in', those).execute()
    },
  }
}

/** What every request of a push agent asks, and every verdict. */
function sessionQueries(database: VerifierDatabase) {
  return {
    keyOf: prepareQuery(database, (on, { agent_id }: Pick<AgentRow, 'agent_id'>) =>
      on
        .selectFrom('agents')
        .select([
          'enrolment',
          'ak_tpm',
          'accept_tpm_hash_algs',
          'accept_tpm_encryption_algs',
          'accept_tpm_signing_algs',
        ])
        .where('agent_id', '=', agent_id),
    ),
    find: prepareQuery(database, (on, { id }: Pick<SessionRow, 'id'>) =>
      on
        .selectFrom('sessions')
        .leftJoin('agents', 'agents.agent_id', 'sessions.agent_id')
        .selectAll('sessions')
        .select('agents.enrolment as present_enrolment')
        .where('sessions.id', '=', id),
    ),
    extend: prepareQuery(database, (on, { agent_id, token_expires_at, now }: Extension) =>
      on
        .updateTable('sessions')
        .set({ token_expires_at })
        .where('id', '=', ({ selectFrom }) =>
          selectFrom('sessions')
            .innerJoin('agents', (join) =>
              join
                .onRef('agents.agent_id', '=', 'sessions.agent_id')
                .onRef('agents.enrolment', '=', 'sessions.enrolment'),
            )
            .select('sessions.id')
            .where('sessions.agent_id', '=', agent_id)
            .where('token_expires_at', '>', now)
            .orderBy('granted_at', 'desc')
            .limit(1),
        ),
    ),
  }
}

interface Extension extends Pick<SessionRow, 'agent_id' | 'token_expires_at'> {
  readonly now: number
}

/**
 * One statement, so that nothing happens to the agent between a look at it and the token. PostgreSQL takes a value
 * that is selected for a text without a cast.
 */
async function grant(database: VerifierDatabase, row: SessionRow): Promise<boolean> {
  const result = await database
    .insertInto('sessions')
    .columns(['id', 'agent_id', 'enrolment', 'granted_at', 'token_hash', 'token_expires_at'])
    .expression((query) =>
      query
        .selectFrom('agents')
        .select([
          sql<string>`cast(${row.id} as text)`.as('id'),
          'agent_id',
          'enrolment',
          sql<number>`cast(${row.granted_at} as bigint)`.as('granted_at'),
          sql<string>`cast(${row.token_hash} as text)`.as('token_hash'),
          sql<number>`cast(${row.token_expires_at} as bigint)`.as('token_expires_at'),
        ])
        .where('agent_id', '=', row.agent_id)
        .where('enrolment', '=', row.enrolment),
    )
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}
