import type { ClientRequest } from 'node:http'
import { Agent, type AgentOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Credentials } from '../identity.ts'
import type { SecureContexts } from './secure-contexts.ts'

/** Shorter than servers keep an unused connection: a request must not meet its end. */
const IDLE_MS = 1000

/** Per credentials and server. */
const MOST_SOCKETS = 64

/** Closes connections that were not used for a while. */
class BrieflyIdleAgent extends Agent {
  override keepSocketAlive(socket: Duplex): boolean {
    const isKept = Boolean(super.keepSocketAlive(socket))
    ;(socket as Socket).setTimeout(IDLE_MS)
    return isKept
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    ;(socket as Socket).setTimeout(0)
    super.reuseSocket(socket, request)
  }
}

/**
 * Connections that all scenarios of a run share, because a handshake takes longer than most exchanges. Only those of
 * the given credentials, each in a pool of its own: a scenario with a certificate of its own makes its own connections.
 */
export class KeptConnections {
  readonly #agents: ReadonlyMap<string, Agent>

  constructor(contexts: SecureContexts, kept: readonly Credentials[]) {
    this.#agents = new Map(kept.map((each) => [keyOf(each), agentOf(contexts, each)]))
  }

  /** The pool for these credentials; undefined if they are not among the given ones, or have a connection of their own. */
  of(credentials: Credentials): Agent | undefined {
    return credentials.connection === 'own' ? undefined : this.#agents.get(keyOf(credentials))
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
  }
}

function keyOf({ certificate }: Credentials): string {
  return certificate?.cert ?? ''
}

function agentOf(contexts: SecureContexts, credentials: Credentials): Agent {
  const options: AgentOptions = { keepAlive: true, maxSockets: MOST_SOCKETS, maxCachedSessions: 0 }
  return new BrieflyIdleAgent({ ...options, secureContext: contexts.of(credentials) })
}
