import { bodyParser } from '../../api/bodies/parse-body.ts'
import { type Handler, parameter } from '../../api/call.ts'
import { ApiError, agentNotEnrolled } from '../../errors.ts'
import type { AgentRow, AttestationRow } from '../../storage/databases/database.ts'
import { moving } from '../operational-effects.ts'
import { acceptEvidence } from '../push/accept-evidence.ts'
import { loadAttestation } from '../push/attestation/load-attestation.ts'
import { takeFromAgent } from '../push/attestation/move-acceptance.ts'
import { attestationPath, presentAttestation } from '../push/attestation/present-attestation.ts'
import { requireMove } from '../push/attestation/stages.ts'
import type { EvidenceItem } from '../push/selection/evidence-item.ts'
import { checkSubmission } from '../push/submission-refusals.ts'
import { EvidenceRequest } from '../shapes/attestation-shape.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseRequest = bodyParser(EvidenceRequest, 'invalid_resource_data')

/**
 * PATCH /v3/agents/{agent_id}/attestations/{index}: takes the evidence of the latest attestation,
 * answers 202 at once and evaluates afterwards.
 */
export function submitEvidence(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const latest = await loadAttestation(parts.store, agentId, 'latest')
    const agent = await enrolledAgent(parts, agentId)
    const taken = await takeFromAgent(parts, 'evidence_received', agent)
    const submission = { latest, index: parameter(call, 'index'), now: parts.clock.now() }
    checkSubmission(parts.attestationRules.submissionRefusals, submission)
    const { evidence_collected } = parseRequest(call.body).data.attributes
    const requested = JSON.parse(latest.evidence) as readonly EvidenceItem[]
    const items = acceptEvidence(requested, evidence_collected)
    if (agent.mode === 'pull') await endPolling(parts, agent, taken)
    const row = await store(parts, latest, items, taken)
    return {
      status: 202,
      headers: { location: attestationPath(row) },
      body: {
        data: presentAttestation(row),
        meta: { seconds_to_next_attestation: parts.config.quote_interval },
      },
      afterwards: () => parts.evaluations.wake(),
    }
  }
}

/** Asked here too: an attestation that was begun before its agent was stopped, or fell silent, ends with it. */
async function enrolledAgent(parts: VerifierParts, agentId: string): Promise<AgentRow> {
  const agent = await parts.store.agents.find(agentId)
  if (agent === undefined) throw agentNotEnrolled(agentId)
  return agent
}

/**
 * An agent that sends evidence is not asked any more, and from the same moment it is silent when it sends no more:
 * capabilities alone would let it get away from being asked.
 */
async function endPolling(
  parts: VerifierParts,
  { agent_id, enrolment }: AgentRow,
  taken: Partial<AgentRow>,
): Promise<void> {
  const isMoved = await parts.store.agents.change(agent_id, (agent) => {
    const moved = moving(parts.operationalMoves, 'pushed', agent)
    return agent.enrolment === enrolment && moved ? { ...taken, ...moved.change } : undefined
  })
  if (isMoved) await parts.poller.end(agent_id)
}

async function store(
  parts: VerifierParts,
  latest: AttestationRow,
  items: readonly EvidenceItem[],
  agent: Partial<AgentRow>,
): Promise<AttestationRow> {
  const attestation = {
    ...requireMove('awaiting_evidence', 'evidence_accepted'),
    evidence: JSON.stringify(items),
    evidence_received_at: parts.clock.now(),
  }
  const { attestations } = parts.store
  if (!(await attestations.advance(latest, 'awaiting_evidence', attestation, agent))) {
    throw new ApiError('evidence_immutable', 'Evidence was already received for this attestation.')
  }
  return { ...latest, ...attestation }
}
