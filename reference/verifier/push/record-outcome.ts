import { type Clock, seconds } from '../../clock.ts'
import type { Evaluation } from '../../evidence/evaluate.ts'
import type { AgentRow, AttestationRow } from '../../storage/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import { type CarriedEvidence, certifiedEntries, readCarried } from './carried.ts'
import type { EvaluationSettings } from './evaluation.ts'
import { type EvidenceItem, quoteParameters } from './evidence-item.ts'
import { nextStage } from './stages.ts'

interface OutcomeParts {
  readonly store: VerifierStore
  readonly clock: Clock
  readonly settings: EvaluationSettings
}

/** Moves the attestation to `verification_complete` and tells the agent record what came of it. */
export async function recordOutcome(
  parts: OutcomeParts,
  agent: AgentRow,
  row: AttestationRow,
  evaluation: Evaluation,
): Promise<void> {
  const now = parts.clock.now()
  const recorded = await parts.store.attestations.advance(row, 'evaluating_evidence', {
    stage: nextStage('evaluating_evidence', 'verification_finished') ?? 'verification_complete',
    evaluation: evaluation.verdict,
    failure_reason: evaluation.failureReason ?? null,
    findings: JSON.stringify(evaluation.findings),
    verification_completed_at: now,
  })
  if (!recorded) return
  await parts.store.agents.update(agent.agent_id, agentChange(parts.clock, agent, row, evaluation))
  const extension = parts.settings.tokenExtension
  if (evaluation.verdict === 'pass' && extension !== undefined) {
    await parts.store.sessions.extend(agent.agent_id, now + extension, now)
  }
}

function agentChange(
  clock: Clock,
  agent: AgentRow,
  row: AttestationRow,
  evaluation: Evaluation,
): Partial<AgentRow> {
  const items = JSON.parse(row.evidence) as readonly EvidenceItem[]
  const chosen = quoteParameters(items)
  const common = {
    last_received_quote: seconds(clock),
    hash_alg: chosen?.hash_algorithm ?? agent.hash_alg,
    sign_alg: chosen?.signature_scheme ?? agent.sign_alg,
  }
  if (evaluation.verdict === 'fail') {
    return {
      ...common,
      failures: agent.failures + 1,
      carried: JSON.stringify({ ...readCarried(agent), ima: undefined }),
    }
  }
  return {
    ...common,
    attestation_count: agent.attestation_count + 1,
    last_successful_attestation: seconds(clock),
    carried: JSON.stringify(carryOver(agent, row, evaluation)),
  }
}

function carryOver(agent: AgentRow, row: AttestationRow, evaluation: Evaluation): CarriedEvidence {
  const { boot_time } = JSON.parse(row.system_info) as { boot_time?: string }
  const before = certifiedEntries(readCarried(agent), boot_time)
  const { ima, clock } = evaluation
  return {
    boot_time,
    ima: ima && { entries: before + ima.entriesCertified, values: ima.carried },
    clock: clock && {
      clock: String(clock.clock),
      resetCount: clock.resetCount,
      restartCount: clock.restartCount,
    },
  }
}
