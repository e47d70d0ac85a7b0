import { ApiError } from '../../errors.ts'
import { finding } from '../../evidence/findings.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import type { QuotedHost } from '../evaluation/task.ts'
import { requiredEvidence } from '../push/selection/required-evidence.ts'
import { agentVersion } from './agent-version.ts'
import { failureOf, refused, unanswered } from './failures.ts'
import type { AgentLine, PollOutcome, PollParts } from './poll-parts.ts'

/**
 * What has to be known of the host of an agent to judge its deep quote; undefined where an ordinary quote is asked for, and
 * an outcome where the host cannot be found.
 */
export async function hostOf(
  parts: PollParts,
  agent: AgentRow,
  line: AgentLine,
): Promise<QuotedHost | PollOutcome | undefined> {
  const { lookUpHost, pullRules } = parts
  if (!pullRules.quotesDeeply(agent, agentVersion(parts, agent))) return undefined
  if (lookUpHost === undefined) return refused(parts, 'internal.verifier.exception', NO_PROVIDER)
  try {
    const key = await lookUpHost(agent.agent_id)
    if (key === undefined) return withoutHost(parts)
    const { pcrs } = requiredEvidence(agent, undefined, null)
    return { key, pcrs, tpm_policy: agent.tpm_policy }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return unanswered(parts, line, 'internal.verifier.exception', error.message)
  }
}

const NO_PROVIDER =
  "vtpm_policy asks for deep quotes, and provider_registrar_ip names no provider's registrar, which knows the host"

/** A machine that the provider does not vouch for may be any. */
function withoutHost(parts: PollParts): PollOutcome {
  const why = "the provider's registrar has no active host of this agent"
  const found = finding('quote_validation.invalid_attestation_key', why)
  return { event: 'evidence_failed', failure: failureOf(parts, [found]), why }
}
