import { checkAgentId } from '../../api/agent-id.ts'
import { type Call, type Handler, queryParameter } from '../../api/call.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { agentNotEnrolled } from '../../errors.ts'
import { type Finding, finding } from '../../evidence/findings.ts'
import { evaluateQuote } from '../../evidence/quote.ts'
import type { QuoteInput } from '../../evidence/quote-case.ts'
import { parseQuoteString } from '../../evidence/quote-string.ts'
import type { AgentRow } from '../../storage/database.ts'
import { acceptableNonces } from '../acceptable-nonces.ts'
import type { VerifierParts } from '../verifier-parts.ts'

/**
 * GET /v2.5/verify/identity: whether a quote over a nonce is by the attestation key of an agent. `valid` is 1 or 0
 * in every version (ambiguity VALID); a quote that cannot be read, or that came with `+` as a blank, is not valid.
 */
export function verifyIdentity(parts: VerifierParts): Handler {
  return async (call) => {
    const query = readQuery(call)
    const agent = await parts.store.agents.find(query.agent_uuid)
    if (agent === undefined) throw agentNotEnrolled(query.agent_uuid)
    return { body: presentVerdict(judge(parts, agent, query)) }
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

function judge(parts: VerifierParts, agent: AgentRow, query: IdentityQuery): readonly Finding[] {
  try {
    return evaluateQuote(composeInput(agent, query), parts.identityChecks).findings
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return [finding('quote_validation.invalid_quote', error.message)]
  }
}

/** No PCR is asked for, and the clock is left alone: somebody else may have had the quote made earlier. */
function composeInput(agent: AgentRow, { hash_alg, nonce, quote }: IdentityQuery): QuoteInput {
  const { message, signature, pcrBlob } = parseQuoteString(quote)
  return {
    attestationKey: fromBase64(agent.ak_tpm),
    nonce: acceptableNonces(nonce),
    hashAlgorithm: hash_alg,
    acceptedHashes: JSON.parse(agent.accept_tpm_hash_algs),
    acceptedSchemes: JSON.parse(agent.accept_tpm_signing_algs),
    acceptedKeys: JSON.parse(agent.accept_tpm_encryption_algs),
    requestedPcrs: { bank: hash_alg, pcrs: [] },
    quote: { message, signature, claimed: { form: 'blob', bytes: pcrBlob } },
  }
}

function presentVerdict(findings: readonly Finding[]): Readonly<Record<string, unknown>> {
  if (findings.length === 0) return { valid: 1 }
  return { valid: 0, reason: findings.map(({ context }) => context.message).join('; ') }
}
