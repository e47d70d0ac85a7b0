import type { Clock } from '../../clock.ts'
import type { AgentRow, AttestationRow } from '../../storage/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { Judgement } from '../evaluation/task.ts'
import { type CarriedEvidence, readCarried } from './carried.ts'
import type { Evaluating, EvaluationSettings } from './evaluation.ts'
import { requireMove } from './stages.ts'

interface OutcomeParts {
  readonly store: VerifierStore
  readonly clock: Clock
  readonly evaluating: Evaluating
  readonly settings: EvaluationSettings
}

const VERDICT_EVENTS = { pass: 'verification_passed', fail: 'verification_failed' } as const

/**
 * Moves the attestation to `verification_complete` and tells the agent record what came of it; false when somebody
 * else has, or its agent is gone.
 */
export async function recordOutcome(
  parts: OutcomeParts,
  row: AttestationRow,
  judgement: Judgement,
): Promise<boolean> {
  const { evaluation } = judgement
  const now = parts.clock.now()
  const { owner } = parts.evaluating
  const recorded = await parts.store.attestations.conclude(row, 'evaluating_evidence', owner, {
    attestation: {
      ...requireMove('evaluating_evidence', VERDICT_EVENTS[evaluation.verdict]),
      failure_reason: evaluation.failureReason ?? null,
      findings: JSON.stringify(evaluation.findings),
      verification_completed_at: now,
    },
    agent: (agent) => agentChange(agent, row, judgement),
  })
  if (!recorded) return false
  const extension = parts.settings.tokenExtension
  if (evaluation.verdict === 'pass' && extension !== undefined) {
    await parts.store.sessions.extend(row.agent_id, now + extension, now)
  }
  return true
}

function agentChange(
  agent: AgentRow,
  row: AttestationRow,
  judgement: Judgement,
): Partial<AgentRow> {
  const { evaluation, chosen } = judgement
  const received = Math.floor((row.evidence_received_at ?? 0) / 1000)
  const common = {
    last_received_quote: received,
    hash_alg: chosen?.hash_algorithm ?? agent.hash_alg,
    sign_alg: chosen?.signature_scheme ?? agent.sign_alg,
  }
  if (evaluation.verdict === 'fail') {
    return {
      ...common,
      failures: agent.failures + 1,
      carried: withoutIma(agent),
    }
  }
  return {
    ...common,
    attestation_count: agent.attestation_count + 1,
    last_successful_attestation: received,
    carried: JSON.stringify(carryOver(row, judgement)),
  }
}

function carryOver(
  row: AttestationRow,
  { evaluation, startingOffset = 0 }: Judgement,
): CarriedEvidence {
  const { boot_time } = JSON.parse(row.system_info) as { boot_time?: string }
  const begunWith = startingOffset > 0 ? readCarried(row)?.ima : undefined
  const { ima, clock } = evaluation
  return {
    boot_time,
    ima: ima && {
      entries: (begunWith?.entries ?? 0) + ima.entriesCertified,
      lines: (begunWith?.lines ?? 0) + ima.linesCertified,
      values: ima.carried,
      learned: ima.learned,
    },
    clock: clock && {
      clock: String(clock.clock),
      resetCount: clock.resetCount,
      restartCount: clock.restartCount,
    },
  }
}

/** After a failure the next list starts at 0; the clock is not forgotten. */
function withoutIma(agent: AgentRow): string | null {
  const carried = readCarried(agent)
  return carried === undefined ? null : JSON.stringify({ ...carried, ima: undefined })
}
