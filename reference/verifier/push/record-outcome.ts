import type { Clock } from '../../platform/clock.ts'
import type { AgentRow, AttestationRow } from '../../storage/databases/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import { agentAfter } from '../agent-after.ts'
import type { TaskResult } from '../evaluation/task.ts'
import { requireMove } from './attestation/stages.ts'
import { readCarried } from './carried.ts'

export interface OutcomeSettings {
  /** Milliseconds by which a passing attestation extends the token; undefined for no extension. */
  readonly tokenExtension: number | undefined
}

interface OutcomeParts {
  readonly store: VerifierStore
  readonly clock: Clock
  readonly evaluating: { readonly owner: string }
  readonly settings: OutcomeSettings
}

const VERDICT_EVENTS = { pass: 'verification_passed', fail: 'verification_failed' } as const

/**
 * Moves the attestation to `verification_complete` and updates the agent record; false if another process did so
 * first, or if the agent is gone.
 */
export async function recordOutcome(
  parts: OutcomeParts,
  row: AttestationRow,
  result: TaskResult,
): Promise<boolean> {
  const { evaluation } = result
  const now = parts.clock.now()
  const { owner } = parts.evaluating
  const recorded = await parts.store.attestations.conclude(row, 'evaluating_evidence', owner, {
    attestation: {
      ...requireMove('evaluating_evidence', VERDICT_EVENTS[evaluation.verdict]),
      failure_reason: evaluation.failureReason ?? null,
      findings: JSON.stringify(evaluation.findings),
      verification_completed_at: now,
    },
    agent: (agent) => agentChange(agent, row, result),
  })
  if (!recorded) return false
  const extension = parts.settings.tokenExtension
  if (evaluation.verdict === 'pass' && extension !== undefined) {
    await parts.store.sessions.extend(row.agent_id, now + extension, now)
  }
  return true
}

function agentChange(agent: AgentRow, row: AttestationRow, result: TaskResult): Partial<AgentRow> {
  const { boot_time: bootTime } = JSON.parse(row.system_info) as { boot_time?: string }
  const receivedAt = row.evidence_received_at ?? 0
  return agentAfter(agent, { result, receivedAt, begunWith: readCarried(row), bootTime })
}
