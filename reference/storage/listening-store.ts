import type { VerifierDatabase } from './databases/database.ts'

/** The one row of its table. */
const KEY = 'verifiers'

/** How far the time of listening has come, in milliseconds. */
export interface ListeningStore {
  /** Undefined in a new database. */
  find(): Promise<number | undefined>
  /** Stores a time unless a later one is known, and returns the latest. */
  advance(to: number): Promise<number>
}

export function listeningStore(database: VerifierDatabase): ListeningStore {
  const find = async (): Promise<number | undefined> => {
    const row = await database
      .selectFrom('listening')
      .select('until')
      .where('name', '=', KEY)
      .executeTakeFirst()
    return row?.until
  }
  return {
    find,
    async advance(to) {
      await database
        .insertInto('listening')
        .values({ name: KEY, until: to })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ until: to }).where('listening.until', '<', to),
        )
        .execute()
      return (await find()) ?? to
    },
  }
}
