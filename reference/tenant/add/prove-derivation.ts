import { findAgent, order } from '../known-agent.ts'
import { presentState } from '../operational-state.ts'
import { textIn } from '../read-members.ts'
import type { TenantSession } from '../session.ts'
import { TenantFault } from '../tenant-fault.ts'
import type { AddRequest } from './add-request.ts'
import { type Adding, foundBefore } from './adding.ts'

/**
 * Asks the agent for an HMAC with the key that it can only have from both halves, until it has it: its V comes from the
 * verifier. An agent that never has the right one is stopped, and so is one that cannot be asked any more: it may have
 * been started again, and the halves are in its memory alone.
 *
 * @throws {TenantFault} `keys_not_derived`
 */
export async function proveDerivation(adding: Adding): Promise<void> {
  const { tenant, request } = adding
  const { parts, waits } = tenant
  let problem: string | undefined
  for (const wait of [0, ...waits]) {
    if (wait > 0) await parts.pause(wait)
    problem = await problemOf(adding)
    if (problem === undefined) return tenant.say(`successful key derivation for ${request.agentId}`)
  }
  throw new TenantFault(
    'keys_not_derived',
    `agent ${request.agentId} does not prove that it has the bootstrap key: ${problem}; ${await stopped(tenant, request)}`,
    'only an agent whose first quote passes gets the other half: look at the logs of both; then assay tenant update adds it again',
  )
}

/** The consequence for the agent, for the message. */
async function stopped({ verifier }: TenantSession, { agentId }: AddRequest): Promise<string> {
  const record = await findAgent(verifier, agentId)
  if (record === undefined) return 'the verifier does not have it any more'
  await order(verifier, agentId, 'stop')
  return `at the verifier it was ${presentState(record.operational_state)}, and is stopped`
}

/** One question; an agent that has no key yet refuses it. */
async function problemOf(adding: Adding): Promise<string | undefined> {
  const { parts } = adding.tenant
  const challenge = parts.randomText(parts.random)
  try {
    const { results } = await foundBefore(adding, 'agent').ask({
      path: `/keys/verify?challenge=${encodeURIComponent(challenge)}`,
      ...{ verb: 'prove', what: 'the bootstrap key', ifMissing: '' },
    })
    const hmac = textIn(results, 'hmac') ?? ''
    const { k } = foundBefore(adding, 'keys')
    return parts.bootstrap.isProof(k, challenge, hmac) ? undefined : 'it proves another one'
  } catch (error) {
    if (error instanceof TenantFault) return error.sentence
    throw error
  }
}
