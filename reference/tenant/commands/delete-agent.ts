import { aboutAgent, agentIdOf, findAgent } from '../known-agent.ts'
import type { TenantSession } from '../session.ts'
import { TenantFault } from '../tenant-fault.ts'
import type { Run } from './command.ts'

/** DELETE …/agents/{agent_id} of the verifier; the registrar keeps it. */
export const deleteAgent: Run = async (tenant, options) => {
  const agent_id = agentIdOf(options)
  await endVerification(tenant, agent_id)
  return { result: { agent_id }, text: `agent ${agent_id} deleted from the verifier` }
}

/** A verifier that is busy with an agent accepts its deletion, and it is gone later. */
const ACCEPTED = 202

/** @throws {TenantFault} also when it is not gone in time */
export async function endVerification(tenant: TenantSession, agentId: string): Promise<void> {
  const { verifier } = tenant
  const question = { ...aboutAgent(verifier, agentId), method: 'DELETE', verb: 'delete' } as const
  const { status } = await verifier.ask(question)
  if (status !== ACCEPTED || (await isGone(tenant, agentId))) return
  throw new TenantFault(
    'timeout',
    `the verifier at ${verifier.peer.address} accepted the deletion of agent ${agentId}, and still has it`,
    'look again later: assay tenant cvstatus; or wait longer with --set max_retries=NUMBER',
  )
}

async function isGone(
  { verifier, waits, parts }: TenantSession,
  agentId: string,
): Promise<boolean> {
  for (const wait of [0, ...waits]) {
    await parts.pause(wait)
    if ((await findAgent(verifier, agentId)) === undefined) return true
  }
  return false
}
