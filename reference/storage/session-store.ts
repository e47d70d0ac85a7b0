import type { SessionRow, VerifierDatabase } from './database.ts'

export interface SessionStore {
  find(id: string): Promise<SessionRow | undefined>
  add(row: SessionRow): Promise<void>
  /** Marks the challenge as answered; false when somebody answered it before: one answer per challenge. */
  claim(id: string): Promise<boolean>
  /** False when the session is gone, as when its agent was deleted meanwhile. */
  grant(id: string, tokenHash: string, expiresAt: number): Promise<boolean>
  /** Extends the agent's newest live token; an older one dies when its time comes. */
  extend(agentId: string, expiresAt: number, now: number): Promise<void>
  removeExpired(now: number): Promise<void>
}

export function sessionStore(database: VerifierDatabase): SessionStore {
  return {
    find: (id) =>
      database.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst(),
    async add(row) {
      await database.insertInto('sessions').values(row).execute()
    },
    async claim(id) {
      const result = await database
        .updateTable('sessions')
        .set({ answered: 1 })
        .where('id', '=', id)
        .where('answered', '=', 0)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async grant(id, tokenHash, expiresAt) {
      const result = await database
        .updateTable('sessions')
        .set({ token_hash: tokenHash, token_expires_at: expiresAt })
        .where('id', '=', id)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async extend(agentId, expiresAt, now) {
      await database
        .updateTable('sessions')
        .set({ token_expires_at: expiresAt })
        .where('id', '=', (query) =>
          query
            .selectFrom('sessions')
            .select('id')
            .where('agent_id', '=', agentId)
            .where('token_expires_at', '>', now)
            .orderBy('created_at', 'desc')
            .limit(1),
        )
        .execute()
    },
    async removeExpired(now) {
      await database
        .deleteFrom('sessions')
        .where('challenges_expire_at', '<=', now)
        .where((where) =>
          where.or([where('token_expires_at', 'is', null), where('token_expires_at', '<=', now)]),
        )
        .execute()
    },
  }
}
