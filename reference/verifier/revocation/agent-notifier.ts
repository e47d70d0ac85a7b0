import type { JsonQuestion, JsonReply } from '../../http-client/json-client.ts'
import type { Log } from '../../platform/log.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { Notifier } from './notifier.ts'

export interface AgentNotifierParts {
  readonly store: Pick<VerifierStore, 'agents'>
  readonly log: Log
  /** Ids of the agents that this verifier is responsible for. */
  agents(): Promise<readonly string[]>
  versionOf(agent: AgentRow): string
  /** Asks an agent over the connection on which it is polled, or over one of its own where it is not. */
  ask(agent: AgentRow, question: JsonQuestion): Promise<JsonReply>
}

/** Agents that are notified at the same time. */
const AT_ONCE = 8

/** Notifies every agent of this verifier, the failed one too; a slow agent does not delay the others. */
export function agentNotifier(parts: AgentNotifierParts): Notifier {
  return {
    name: 'agent',
    async notify(notice, about, signal) {
      const left = (await parts.agents()).values()
      let missed = 0
      const turn = async (): Promise<void> => {
        for (const agentId of left) {
          if (signal.aborted || !(await isDelivered(parts, agentId, notice))) missed += 1
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, turn))
      if (missed > 0)
        parts.log.warn(
          { agent_id: about.agent_id, missed },
          'revocation message not delivered to these agents',
        )
    },
    close: () => undefined,
  }
}

async function isDelivered(
  parts: AgentNotifierParts,
  agentId: string,
  body: unknown,
): Promise<boolean> {
  const agent = await parts.store.agents.find(agentId)
  if (agent === undefined) return true
  const path = `/v${parts.versionOf(agent)}/notifications/revocation`
  try {
    const { status } = await parts.ask(agent, { method: 'POST', path, body })
    return status === 200
  } catch {
    return false
  }
}
