import { checkAgentId } from '../../../api/agent-id.ts'
import { type Call, type Handler, queryParameter } from '../../../api/call.ts'
import { agentNotEnrolled } from '../../../errors.ts'
import type { Finding } from '../../../evidence/findings.ts'
import { evaluatedAgent } from '../../evaluation/evaluated-agent.ts'
import type { VerifierParts } from '../../verifier-parts.ts'

/**
 * GET /v2.5/verify/identity: whether a quote over a nonce is by the attestation key of an agent. `valid` is 1 or 0
 * in every version (ambiguity VALID); a quote that cannot be read, or that came with `+` as a blank, is not valid.
 */
export function verifyIdentity(parts: VerifierParts): Handler {
  return async (call) => {
    const query = readQuery(call)
    const agent = await parts.store.agents.find(query.agent_uuid)
    if (agent === undefined) throw agentNotEnrolled(query.agent_uuid)
    const { hash_alg, nonce, quote } = query
    const task = { kind: 'identity', agent: evaluatedAgent(agent), hash_alg, nonce, quote } as const
    return { body: presentVerdict(await parts.evaluator.evaluateIdentity(task)) }
  }
}

type IdentityQuery = Readonly<Record<'agent_uuid' | 'hash_alg' | 'nonce' | 'quote', string>>

function readQuery(call: Call): IdentityQuery {
  return {
    agent_uuid: checkAgentId(queryParameter(call, 'agent_uuid'), '/agent_uuid'),
    hash_alg: queryParameter(call, 'hash_alg'),
    nonce: queryParameter(call, 'nonce'),
    quote: queryParameter(call, 'quote'),
  }
}

function presentVerdict(findings: readonly Finding[]): Readonly<Record<string, unknown>> {
  if (findings.length === 0) return { valid: 1 }
  return { valid: 0, reason: findings.map(({ context }) => context.message).join('; ') }
}
