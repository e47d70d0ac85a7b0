import { jsonClient } from '../../http-client/json-client.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import type { AgentLine, PollParts } from './poll-parts.ts'

/** A connection of its own for an agent, on which its certificate is trusted and no other. */
export function openLine({ config, identity, pullRules }: PollParts, agent: AgentRow): AgentLine {
  const trust = pullRules.trust(agent)
  const client = jsonClient({
    ...{ host: agent.ip ?? '', port: Number(agent.port) },
    ...(trust && { trust }),
    ...(identity && { identity }),
    ...{ timeoutMs: config.poll_timeout * 1000, maxBytes: config.poll_answer_size },
    connections: 1,
  })
  return { enrolment: agent.enrolment, client, tries: 0, knowsKey: false, begunAt: 0 }
}
