import type { VerifierConfig } from '../../config/config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AgentRow, AttestationRow } from '../../storage/databases/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import { agentAfter } from '../agent-after.ts'
import type { TaskResult } from '../evaluation/task.ts'
import { failureOf } from '../pull/failures.ts'
import type { Incident } from '../revocation/compose-notice.ts'
import { requireMove } from './attestation/stages.ts'
import { instantOf } from './boot-time.ts'
import { readCarried } from './carried.ts'

type SeveritySettings = Pick<VerifierConfig, 'severity_policy' | 'severity_labels'>

export interface OutcomeSettings {
  /** How severe failures are. */
  readonly severity: SeveritySettings
  /** Milliseconds by which a passing attestation extends the token; undefined for no extension. */
  readonly tokenExtension: number | undefined
}

interface OutcomeParts {
  readonly store: VerifierStore
  readonly clock: Clock
  readonly evaluating: { readonly owner: string }
  readonly settings: OutcomeSettings
  /** Tells the receivers of revocation messages. */
  readonly report: (incident: Incident) => void
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
  const failure = failureIn(parts, result)
  let failed: AgentRow | undefined
  const recorded = await parts.store.attestations.conclude(row, 'evaluating_evidence', owner, {
    attestation: {
      ...requireMove('evaluating_evidence', VERDICT_EVENTS[evaluation.verdict]),
      failure_reason: evaluation.failureReason ?? null,
      findings: JSON.stringify(evaluation.findings),
      verification_completed_at: now,
    },
    agent: (agent) => {
      if (failure && isNews(agent, failure)) failed = agent
      return { ...agentChange(agent, row, result), ...failure?.recorded }
    },
  })
  if (!recorded) return false
  if (failure && failed)
    parts.report({ type: 'revocation', agent: failed, failure: failure.reported })
  const extension = parts.settings.tokenExtension
  if (evaluation.verdict === 'pass' && extension !== undefined) {
    await parts.store.sessions.extend(row.agent_id, now + extension, now)
  }
  return true
}

/** The failure of an evaluation, for the record and for messages; undefined if nothing was found. */
function failureIn({ settings }: OutcomeParts, { evaluation }: TaskResult) {
  if (evaluation.verdict === 'pass' || evaluation.findings.length === 0) return undefined
  const reported = failureOf({ config: settings.severity }, evaluation.findings)
  const { severity_level, last_event_id } = reported
  return { reported, recorded: { severity_level, last_event_id } }
}

/** An agent that fails again and again is reported once, and again if it gets worse, until an administrator has looked. */
function isNews(
  { failures, severity_level }: AgentRow,
  { recorded }: { readonly recorded: { readonly severity_level: number } },
): boolean {
  return failures === 0 || severity_level === null || recorded.severity_level > severity_level
}

function agentChange(agent: AgentRow, row: AttestationRow, result: TaskResult): Partial<AgentRow> {
  const { boot_time = '' } = JSON.parse(row.system_info) as { boot_time?: string }
  const bootTime = instantOf(boot_time)
  const receivedAt = row.evidence_received_at ?? 0
  return agentAfter(agent, { result, receivedAt, begunWith: readCarried(row), bootTime })
}
