/** A challenge that waits for its answer. */
export interface OpenSession {
  readonly id: string
  readonly agent_id: string
  /** Name of the agent's enrolment when it was opened; undefined when nobody of that id was enrolled. */
  readonly enrolment: string | undefined
  /** base64 */
  readonly challenge: string
  /** Milliseconds since the epoch, as `challenges_expire_at`. */
  readonly created_at: number
  readonly challenges_expire_at: number
}

/** How many challenges may wait at the same time. */
export interface OpenSessionLimits {
  readonly perAgent: number
  readonly inAll: number
}

/**
 * The challenges that wait. Anybody may ask for one, so they are kept in memory and are counted: a stranger writes
 * nothing to the database, and where there are too many, the one that waited longest goes. Tokens are elsewhere.
 */
export interface OpenSessions {
  readonly size: number
  find(id: string): OpenSession | undefined
  add(session: OpenSession): void
  /** Takes a challenge away; false when somebody did before: one answer per challenge. */
  take(id: string): boolean
  /** Forgets the challenges whose time has come, in the order in which they were given out. */
  forgetUntil(now: number): void
}

export function openSessions({ perAgent, inAll }: OpenSessionLimits): OpenSessions {
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

  function makeRoom(ids: { readonly size: number; keys(): Iterator<string> }, most: number): void {
    while (ids.size >= most) take(String(ids.keys().next().value))
  }

  return {
    get size() {
      return sessions.size
    },
    find: (id) => sessions.get(id),
    add(session) {
      makeRoom(sessions, inAll)
      makeRoom(ofAgents.get(session.agent_id) ?? new Set(), perAgent)
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
