import type { VerifierDatabase } from './databases/database.ts'

/**
 * A secret that all verifiers of a database share: the one stored under this name, or else the one that
 * `make` gives, which is kept. Of several that begin at once all have the same.
 */
export async function sharedSecret(
  database: VerifierDatabase,
  name: string,
  make: () => Uint8Array,
): Promise<Uint8Array> {
  const value = Buffer.from(make()).toString('base64')
  await database
    .insertInto('secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = await database
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return new Uint8Array(Buffer.from(kept.value, 'base64'))
}
