import type { VerifierConfig } from '../config/config.ts'
import type { Random } from '../platform/random.ts'
import type { VerifierDatabase } from '../storage/databases/database.ts'
import { isPostgresUrl } from '../storage/databases/postgres-url.ts'
import { type OpenSessions, openSessionStore } from '../storage/open-session-store.ts'
import { sharedSecret } from '../storage/secret-store.ts'
import { loadTokenKey, TOKEN_KEY_BYTES } from './load-token-key.ts'
import { openSessions } from './push/session/open-sessions.ts'

/** State that verifiers on one database share, in addition to their records. */
interface SharedState {
  readonly openSessions: OpenSessions
  /** Key of the hash that tokens are kept by. */
  readonly tokenKey: Uint8Array
}

interface Needs {
  readonly config: VerifierConfig
  readonly database: VerifierDatabase
  readonly random: Random
}

/** A SQLite file is one verifier's: its private state stays in memory and next to the file. */
const OF_ONE = {
  openSessions: ({ config }: Needs) => openSessions(limitsOf(config)),
  tokenKey: async ({ config, random }: Needs) => loadTokenKey(config, random),
}

/** On a database server any verifier answers any agent, also one that another verifier served before. */
const OF_MANY = {
  openSessions: ({ config, database }: Needs) => openSessionStore(database, limitsOf(config)),
  tokenKey: ({ database, random }: Needs) =>
    sharedSecret(database, 'token-key', () => random.bytes(TOKEN_KEY_BYTES)),
}

export async function sharedState(needs: Needs): Promise<SharedState> {
  const state = isPostgresUrl(needs.config.database) ? OF_MANY : OF_ONE
  return { openSessions: state.openSessions(needs), tokenKey: await state.tokenKey(needs) }
}

function limitsOf({ open_sessions, open_sessions_per_agent }: VerifierConfig) {
  return { inAll: open_sessions, perAgent: open_sessions_per_agent }
}
