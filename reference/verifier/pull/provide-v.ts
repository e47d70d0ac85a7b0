import { NoAnswer } from '../../http-client/json-client.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { agentVersion } from './agent-version.ts'
import { statusStep } from './ask-for-quote.ts'
import { silence, unanswered } from './failures.ts'
import type { AgentLine, PollOutcome, PollParts } from './poll-parts.ts'

/** Sends the V key, encrypted with the node key that the last quote spoke for. */
export async function provideV(
  parts: PollParts,
  agent: AgentRow,
  line: AgentLine,
): Promise<PollOutcome> {
  const { v, public_key } = agent
  if (v === null || public_key === null) throw new Error('there is no V key, or no key for it')
  const encrypted_key = parts.pullRules.encryptV(v, public_key)
  const path = `/v${agentVersion(parts, agent)}/keys/vkey`
  try {
    const reply = await line.client.ask({ method: 'POST', path, body: { encrypted_key } })
    if (reply.status === 200) return { event: 'v_taken' }
    const why = `the agent answers ${reply.status} to the V key`
    const [later, never] = ['internal.verifier.not_reachable_v', 'internal.verifier.no_v'] as const
    return await statusStep(parts, agent, line, reply, { later, never, why })
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return unanswered(parts, line, 'internal.verifier.not_reachable_v', silence(error))
  }
}
