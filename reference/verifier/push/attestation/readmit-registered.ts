import { ApiError } from '../../../errors.ts'
import type { AgentRow } from '../../../storage/databases/database.ts'
import type { VerifierParts } from '../../verifier-parts.ts'
import { acceptanceOf } from './acceptance.ts'
import { moveAcceptance } from './move-acceptance.ts'

type Parts = Pick<
  VerifierParts,
  'acceptance' | 'config' | 'listening' | 'lookUpRegistration' | 'store'
>

/**
 * The agent as it is after a look at the registrar, if it is silent: once it was refused, another registration of its
 * key lets it attest again (ambiguity REREG). Without an answer of the registrar it stays as it is.
 */
export async function readmitRegistered(parts: Parts, agent: AgentRow): Promise<AgentRow> {
  if (acceptanceOf(agent, parts.listening.now()) !== 'silent') return agent
  const regcount = await regcountOf(parts, agent)
  if (regcount === undefined || regcount === agent.regcount_silent) return agent
  const changed =
    agent.regcount_silent === null
      ? { regcount_silent: regcount }
      : { ...moveAcceptance(parts, 'registered', agent), regcount_silent: null }
  const isSame = ({ enrolment, timeout_at }: AgentRow) =>
    enrolment === agent.enrolment && timeout_at === agent.timeout_at
  const held = await parts.store.agents.change(agent.agent_id, (now) =>
    isSame(now) ? changed : undefined,
  )
  return held ? { ...agent, ...changed } : agent
}

/** How often the agent was registered with the key that it is enrolled with. */
async function regcountOf(
  { lookUpRegistration }: Parts,
  { agent_id, ak_tpm }: AgentRow,
): Promise<number | undefined> {
  try {
    const { aik_tpm, regcount } = await lookUpRegistration(agent_id)
    return aik_tpm === ak_tpm ? regcount : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
