import type {
  OpenSession,
  OpenSessionLimits,
  OpenSessions,
} from '../../../storage/open-session-store.ts'

/** The challenges of one verifier, kept in its memory: a stranger who asks for one writes nothing to the database. */
export interface SessionsInMemory extends OpenSessions {
  readonly size: number
  find(id: string): OpenSession | undefined
  add(session: OpenSession): void
  take(id: string): boolean
  /** In the order in which they were given out. */
  forgetUntil(now: number): void
}

export function openSessions({ perAgent, inAll }: OpenSessionLimits): SessionsInMemory {
  // Both in the order of arrival, which is that of expiry, as every challenge lives as long as any other.
  const sessions = new Map<string, OpenSession>()
  const ofAgents = new Map<string, Set<string>>()

  function take(id: string): boolean {
    const session = sessions.get(id)
    if (session === undefined) return false
    sessions.delete(id)
    const siblings = ofAgents.get(session.agent_id)
    siblings?.delete(id)
    if (siblings?.size === 0) ofAgents.delete(session.agent_id)
    return true
  }

  function evictOldest(
    ids: { readonly size: number; keys(): Iterator<string> },
    most: number,
  ): void {
    while (ids.size >= most) take(String(ids.keys().next().value))
  }

  return {
    get size() {
      return sessions.size
    },
    find: (id) => sessions.get(id),
    add(session) {
      evictOldest(sessions, inAll)
      evictOldest(ofAgents.get(session.agent_id) ?? new Set(), perAgent)
      sessions.set(session.id, session)
      const siblings = ofAgents.get(session.agent_id)
      if (siblings === undefined) ofAgents.set(session.agent_id, new Set([session.id]))
      else siblings.add(session.id)
    },
    take,
    forgetUntil(now) {
      for (const { id, challenges_expire_at } of sessions.values()) {
        if (challenges_expire_at > now) return
        take(id)
      }
    },
  }
}
