import { findAgent, order } from '../known-agent.ts'
import { presentState } from '../operational-state.ts'
import { textIn } from '../read-members.ts'
import { TenantFault } from '../tenant-fault.ts'
import { type Adding, foundBefore } from './adding.ts'

/**
 * Asks the agent for an HMAC with the key that it can only have from both halves, until it has it: its V comes from the
 * verifier. An agent that never has the right one is stopped.
 *
 * @throws {TenantFault} `keys_not_derived`
 */
export async function proveDerivation(adding: Adding): Promise<void> {
  const { tenant, request } = adding
  const { parts, waits } = tenant
  for (const wait of [0, ...waits]) {
    if (wait > 0) await parts.pause(wait)
    if (await isDerived(adding))
      return tenant.say(`successful key derivation for ${request.agentId}`)
  }
  const record = await findAgent(tenant.verifier, request.agentId)
  await order(tenant.verifier, request.agentId, 'stop')
  const state = record === undefined ? 'gone' : presentState(record.operational_state)
  throw new TenantFault(
    'keys_not_derived',
    `agent ${request.agentId} does not prove that it has the bootstrap key, and was stopped; at the verifier it was ${state}`,
    'only an agent whose first quote passes gets the other half: look at the logs of both; then assay tenant update adds it again',
  )
}

/** One question; an agent that has no key yet refuses it. */
async function isDerived(adding: Adding): Promise<boolean> {
  const { parts } = adding.tenant
  const challenge = parts.randomText(parts.random)
  const hmac = await hmacOf(adding, challenge)
  return (
    hmac !== undefined && parts.bootstrap.isProof(foundBefore(adding, 'keys').k, challenge, hmac)
  )
}

async function hmacOf(adding: Adding, challenge: string): Promise<string | undefined> {
  try {
    const { results } = await foundBefore(adding, 'agent').ask({
      path: `/keys/verify?challenge=${encodeURIComponent(challenge)}`,
      ...{ verb: 'prove', what: 'the bootstrap key', ifMissing: '' },
    })
    return textIn(results, 'hmac')
  } catch (error) {
    if (error instanceof TenantFault && error.exit === 1) return undefined
    throw error
  }
}
