import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Finding } from '../../../evidence/findings.ts'
import type { Random } from '../../../platform/random.ts'
import type { OpenSession, OpenSessions } from '../../../storage/open-session-store.ts'
import type { GrantedSession, SessionStore } from '../../../storage/session-store.ts'
import type { AuthenticationMethod } from '../../shapes/session-shape.ts'

/** The results of all checks of a proof; every check ran, also after another had failed. */
export interface ProofCase {
  readonly session: OpenSession
  /** Of the possession checks, under the enrolled key or under one that stands in for it. */
  readonly findings: readonly Finding[]
  /** The enrolment whose key was proven; undefined when no enrolled key was. */
  readonly enrolment: string | undefined
  readonly now: number
}

/** The rules of sessions and tokens; a verifier without one of them is a mutant. */
export interface SessionRules {
  /** Whether the one proof that is asked for is among those that an agent can make. */
  isSupported(methods: readonly AuthenticationMethod[]): boolean
  makeChallenge(random: Random): Uint8Array
  /** Removes expired challenges before a session of the agent is opened. */
  dropExpired(sessions: OpenSessions, granted: SessionStore, agentId: string, now: number): unknown
  /** Whether the proof is for the agent of the session. */
  isSameAgent(session: OpenSession, agentId: string): boolean
  /** Whether this is the one answer that a challenge has. */
  isFirstAnswer(sessions: OpenSessions, session: OpenSession): boolean | Promise<boolean>
  /** A proof passes when none of these refuses it. */
  readonly refusals: readonly ProofRefusal[]
  hashToken(token: string, key: KeyObject): string
  isSameHash(stored: string, given: string): boolean
  isLive(session: GrantedSession, now: number): boolean
  isPresent(session: GrantedSession): boolean
  removeExpired(granted: SessionStore, now: number): Promise<void>
}

/** One reason for which a proof gets no token. */
interface ProofRefusal {
  readonly id: string
  readonly why: string
  refuses(proof: ProofCase): boolean
}

/** Not guessed, and not met twice. */
const CHALLENGE_BYTES = 16

export const sessionRules: SessionRules = {
  isSupported: (methods) =>
    methods.some(
      ({ authentication_class, authentication_type }) =>
        authentication_class === 'pop' && authentication_type === 'tpm_pop',
    ),
  makeChallenge: (random) => random.bytes(CHALLENGE_BYTES),
  dropExpired: (sessions, _granted, _agentId, now) => sessions.forgetUntil(now),
  isSameAgent: (session, agentId) => session.agent_id === agentId,
  isFirstAnswer: (sessions, { id }) => sessions.take(id),
  refusals: [
    {
      id: 'session.proof',
      why: 'without a valid proof any client could pose as any agent',
      refuses: ({ findings }) => findings.length > 0,
    },
    {
      id: 'session.late',
      why: 'an answer may have been found out or bought when there is time for it',
      refuses: ({ session, now }) => session.challenges_expire_at <= now,
    },
    {
      id: 'session.enrolment',
      why: 'a new enrolment needs a new session; an unknown agent may have been enrolled meanwhile',
      refuses: ({ session, enrolment }) =>
        enrolment === undefined ||
        (session.enrolment !== undefined && session.enrolment !== enrolment),
    },
  ],
  hashToken: (token, key) => createHmac('sha256', key).update(token).digest('hex'),
  isSameHash(stored, given) {
    const [one, other] = [Buffer.from(stored), Buffer.from(given)]
    return one.length === other.length && timingSafeEqual(one, other)
  },
  isLive: ({ token_expires_at }, now) => token_expires_at > now,
  isPresent: ({ enrolment, present_enrolment }) => enrolment === present_enrolment,
  removeExpired: (granted, now) => granted.removeExpired(now),
}
