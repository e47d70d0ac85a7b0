import type { OpenSessionRow, VerifierDatabase } from './databases/database.ts'

/** A challenge that waits for its answer. */
export interface OpenSession extends Omit<OpenSessionRow, 'enrolment'> {
  /** Name of the agent's enrolment when it was opened; undefined if that id was not enrolled. */
  readonly enrolment: string | undefined
}

/** How many challenges may wait at the same time. */
export interface OpenSessionLimits {
  readonly perAgent: number
  readonly inAll: number
}

type Awaitable<T> = T | Promise<T>

/** Open challenges. Any client may request one, so their number is limited: the oldest is evicted. */
export interface OpenSessions {
  find(id: string): Awaitable<OpenSession | undefined>
  add(session: OpenSession): Awaitable<void>
  /** Removes a challenge; false if it was removed before: one answer per challenge. */
  take(id: string): Awaitable<boolean>
  /** Forgets the challenges whose time has come. */
  forgetUntil(now: number): Awaitable<void>
}

/** The challenges of all verifiers that share a database: those that were given out last, as many as may wait. */
export function openSessionStore(
  database: VerifierDatabase,
  { perAgent, inAll }: OpenSessionLimits,
): OpenSessions {
  return {
    async find(id) {
      const columns = ['id', 'agent_id', 'enrolment', 'challenge', 'created_at'] as const
      const row = await database
        .selectFrom('open_sessions')
        .select([...columns, 'challenges_expire_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...row, enrolment: row.enrolment ?? undefined }
    },
    async add(session) {
      const { arrival } = await database
        .insertInto('open_sessions')
        .values({ ...session, enrolment: session.enrolment ?? null })
        .returning('arrival')
        .executeTakeFirstOrThrow()
      const ofAgent = arrivals(database)
        .where('agent_id', '=', session.agent_id)
        .orderBy('arrival', 'desc')
      const siblings = await ofAgent.limit(1).offset(perAgent).executeTakeFirst()
      if (siblings !== undefined)
        await forget(
          database,
          arrivals(database)
            .where('agent_id', '=', session.agent_id)
            .where('arrival', '<=', siblings.arrival),
        )
      await forget(database, arrivals(database).where('arrival', '<=', arrival - inAll))
    },
    async take(id) {
      const result = await database
        .deleteFrom('open_sessions')
        .where('id', '=', id)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    forgetUntil: (now) =>
      forget(database, arrivals(database).where('challenges_expire_at', '<=', now)),
  }
}

function arrivals(database: VerifierDatabase) {
  return database.selectFrom('open_sessions').select('arrival')
}

/** Skips rows that another transaction is removing: waiting for each other's rows would be a deadlock. */
async function forget(
  database: VerifierDatabase,
  those: ReturnType<typeof arrivals>,
): Promise<void> {
  await database
    .deleteFrom('open_sessions')
    .where('arrival', 'in', those.orderBy('arrival').forUpdate().skipLocked())
    .execute()
}
