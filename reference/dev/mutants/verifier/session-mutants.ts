import type { VerifierDatabase } from '../../../storage/databases/database.ts'
import { type OpenSessions, openSessionStore } from '../../../storage/open-session-store.ts'
import { type SessionRules, sessionRules } from '../../../verifier/push/session/session-rules.ts'
import { sharedState } from '../../../verifier/shared-state.ts'
import { eachMinusOne, type Mutant } from '../evidence/list-minus-one.ts'

function withRules(change: Partial<SessionRules>): Mutant['parts'] {
  return { sessionRules: { ...sessionRules, ...change } }
}

/** Later than any session there is. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER

/** The id of a session, the dot, and half of the secret. */
const HALF_OF_A_TOKEN = 58

/** Challenges are kept by the database, and which of them were answered by the process alone. */
function challengesKept(database: VerifierDatabase): OpenSessions {
  const kept = openSessionStore(database, { perAgent: 1000, inAll: 1000 })
  const taken = new Set<string>()
  return {
    ...kept,
    find: (id) => (taken.has(id) ? undefined : kept.find(id)),
    async take(id) {
      const isFirst = !taken.has(id)
      taken.add(id)
      // The earlier row is in the way of the second token, as a session has one.
      if (isFirst) await database.deleteFrom('sessions').where('id', '=', id).execute()
      return isFirst
    },
  }
}

/** Verifiers that are wrong in one place of their sessions or tokens. */
export const SESSION_MUTANTS: readonly Mutant[] = [
  ...eachMinusOne({
    checks: sessionRules.refusals,
    defectWithout: ({ why }) => `it is not asked that ${why}`,
    partsWith: (refusals) => withRules({ refusals }),
  }),
  {
    id: 'unsupported-proof-asked-for',
    defect: 'an agent is asked for a proof that it does not support',
    parts: withRules({ isSupported: () => true }),
  },
  {
    id: 'two-answers-per-challenge',
    defect: 'a challenge may be answered again and again',
    // The earlier row is in the way of the second token, as a session has one.
    parts: withRules({
      isFirstAnswer: () => true,
      removeExpired: (granted) => granted.removeExpired(END_OF_TIME),
    }),
  },
  {
    id: 'answers-forgotten-at-restart',
    defect: 'a verifier that is restarted takes the answer to a challenge once more',
    parts: {
      sharedState: async (needs) => ({
        ...(await sharedState(needs)),
        openSessions: challengesKept(needs.database),
      }),
    },
  },
  {
    id: 'session-challenge-constant',
    defect: 'every session has the same challenge',
    parts: withRules({ makeChallenge: () => new Uint8Array(16).fill(7) }),
  },
  {
    id: 'session-of-any-agent',
    defect: 'a proof is accepted under any agent id',
    parts: withRules({ isSameAgent: () => true }),
  },
  {
    id: 'expired-token-taken',
    defect: 'a token never expires',
    // The next session of any agent would remove it.
    parts: withRules({ isLive: () => true, removeExpired: async () => undefined }),
  },
  {
    id: 'token-dead-at-once',
    defect: 'a token is over before it is given out',
    parts: withRules({
      isLive: ({ granted_at, token_expires_at }) => granted_at > token_expires_at,
    }),
  },
  {
    id: 'token-survives-re-enrolment',
    defect: 'a token stays valid for a later enrolment under its id',
    parts: withRules({ isPresent: ({ present_enrolment }) => present_enrolment !== null }),
  },
  {
    id: 'opening-ends-token',
    defect: 'a new session for an agent ends its token',
    parts: withRules({
      dropExpired: async (sessions, granted, agentId, now) => {
        await sessions.forgetUntil(now)
        return granted.extend(agentId, 0, now)
      },
    }),
  },
  {
    id: 'cleanup-removes-live-tokens',
    defect: 'a new token removes those of others, which are live',
    parts: withRules({ removeExpired: (granted) => granted.removeExpired(END_OF_TIME) }),
  },
  {
    id: 'any-secret-taken',
    defect: 'a known session needs no secret',
    parts: withRules({ isSameHash: (stored) => !stored.startsWith('-') }),
  },
  {
    id: 'half-a-token-is-enough',
    defect: 'the second half of the secret is not compared',
    parts: withRules({
      hashToken: (token, key) => sessionRules.hashToken(token.slice(0, HALF_OF_A_TOKEN), key),
    }),
  },
]
