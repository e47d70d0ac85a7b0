import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openVerifierDatabase } from '../storage/database.ts'
import { type VerifierStore, verifierStore } from '../storage/verifier-store.ts'
import { agentRow } from './rows.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Where a store may lie; every promise holds in both places. */
export const PLACES: readonly (readonly [string, () => string])[] = [
  ['in memory', () => ':memory:'],
  ['in a file', () => join(temporaryDirectory(), 'verifier.sqlite')],
]

/** An empty store that is closed with the test. */
export async function openStore(file: string): Promise<VerifierStore> {
  const store = verifierStore(await openVerifierDatabase(file))
  onTestFinished(() => store.close())
  return store
}

/** A store in which agent `a` is enrolled under the name `first`. */
export async function storeWithAgent(file: string): Promise<VerifierStore> {
  const store = await openStore(file)
  await store.agents.enrol(agentRow(), undefined)
  return store
}
