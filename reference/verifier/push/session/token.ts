import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Random } from '../../../platform/random.ts'
import type { SessionStore } from '../../../storage/session-store.ts'
import type { SessionRules } from './session-rules.ts'

interface TokenParts {
  readonly store: { readonly sessions: Pick<SessionStore, 'find'> }
  readonly clock: Clock
  readonly tokenKey: KeyObject
  readonly sessionRules: SessionRules
}

const SECRET_BYTES = 32

/** A bearer token `<session_id>.<secret>`; the secret cannot be guessed, so a fast hash is enough to keep it by. */
export function makeToken(sessionId: string, random: Random): string {
  return `${sessionId}.${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')}`
}

/** Has the length of a hash and matches none, so that an unknown session takes the same comparison. */
const NO_HASH = '-'.repeat(64)

/**
 * Finds whose token it is; undefined for one that was never given out, or is over. One look into the store, one
 * hash and one comparison, whether the session is known or not.
 */
export async function authenticateToken(
  { store, clock, tokenKey, sessionRules: rules }: TokenParts,
  token: string,
): Promise<string | undefined> {
  const session = await store.sessions.find(token.split('.', 1)[0] ?? '')
  const given = rules.hashToken(token, tokenKey)
  const matches = rules.isSameHash(session?.token_hash ?? NO_HASH, given)
  if (session === undefined || !matches) return undefined
  return rules.isLive(session, clock.now()) && rules.isPresent(session)
    ? session.agent_id
    : undefined
}
