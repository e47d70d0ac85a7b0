import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Random } from '../../random.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'

/** A bearer token `<session_id>.<secret>`; only a keyed hash of the secret is ever stored. */
export interface IssuedToken {
  readonly token: string
  readonly hash: string
}

export function issueToken(sessionId: string, random: Random, key: Uint8Array): IssuedToken {
  const secret = Buffer.from(random.bytes(32)).toString('base64url')
  return { token: `${sessionId}.${secret}`, hash: hashSecret(secret, key) }
}

/** Finds whose token it is; undefined for an unknown, expired or never granted one. */
export async function authenticateToken(
  store: VerifierStore,
  clock: Clock,
  key: Uint8Array,
  token: string,
): Promise<string | undefined> {
  const [sessionId, secret, ...rest] = token.split('.')
  if (sessionId === undefined || secret === undefined || rest.length > 0) return undefined
  const session = await store.sessions.find(sessionId)
  const matches = equalHex(session?.token_hash ?? '', hashSecret(secret, key))
  if (!matches || session === undefined) return undefined
  return (session.token_expires_at ?? 0) > clock.now() ? session.agent_id : undefined
}

function hashSecret(secret: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(secret).digest('hex')
}

function equalHex(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
