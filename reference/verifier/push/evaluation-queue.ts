import type { Evaluation } from '../../evidence/evaluate.ts'
import type { BootPolicyName } from '../../evidence/uefi/policy/boot-policy.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { AgentRow, AttestationRow } from '../../storage/databases/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import { evaluatedAgent } from '../evaluation/evaluated-agent.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'
import { failedEvaluation } from '../evaluation/failed-evaluation.ts'
import type { TaskResult } from '../evaluation/task.ts'
import type { ListeningTime } from '../listening-time.ts'
import { loadBootPolicy } from '../policies/load-boot-policy.ts'
import { referToPolicy, withStoredPcrs } from '../policies/refer-to-policy.ts'
import type { Incident } from '../revocation/compose-notice.ts'
import { readCarried } from './carried.ts'
import { type OutcomeSettings, recordOutcome } from './record-outcome.ts'

interface EvaluationSettings extends OutcomeSettings {
  readonly ignoreTomtouErrors: boolean
  readonly bootPolicyName: BootPolicyName
}

interface EvaluationParts {
  readonly store: VerifierStore
  readonly clock: Clock
  /** By which claims are measured. */
  readonly listening: Pick<ListeningTime, 'now'>
  readonly log: Log
  readonly evaluator: Evaluator
  readonly evaluating: Evaluating
  readonly settings: EvaluationSettings
  /** Tells the receivers of revocation messages. */
  readonly report: (incident: Incident) => void
  /** Counts verdicts and the seconds of each evaluation. */
  readonly metrics?: { evaluated(evaluation: Evaluation, seconds: number): void }
}

/** The owner of the claims of this process, and how long a claim lasts without renewal, in milliseconds. */
interface Evaluating {
  readonly owner: string
  readonly claimLasts: number
}

/** Evaluates the attestations in the store at `evaluating_evidence`; several processes may share them. */
export interface EvaluationQueue {
  /** Evaluates unclaimed evidence until none is left. */
  wake(): void
  /** Keeps the claims of the evaluations in progress: without that they end, as those of a process that was killed. */
  renew(): Promise<void>
  /** Resolves when no evaluation runs in this process. */
  drained(): Promise<void>
  /** Stops after the evaluations in progress; the rest stays in the store for the next start or for other processes. */
  stop(): Promise<void>
}

/**
 * Runs as many evaluations at a time as the evaluator allows, the oldest first. The queue is the store: accepted
 * evidence is found again after a restart, and by every other process. A fault ends one turn, and never the queue.
 */
export function evaluationQueue(parts: EvaluationParts): EvaluationQueue {
  const turns = new Set<Promise<void>>()
  let wakes = 0
  let isOver = false
  const turn = async (): Promise<void> => {
    while (!isOver) {
      const before = wakes
      const row = await claim(parts)
      if (row !== undefined) await evaluateClaimed(parts, row)
      else if (wakes === before) return
    }
  }
  const drained = async (): Promise<void> => {
    while (turns.size > 0) await Promise.all(turns)
  }
  return {
    wake() {
      wakes += 1
      if (turns.size >= parts.evaluator.atOnce) return
      const going = turn()
        .catch((err) =>
          parts.log.error({ err }, 'evaluation stopped; the next evidence starts it again'),
        )
        .finally(() => turns.delete(going))
      turns.add(going)
    },
    async renew() {
      const { store, listening, evaluating } = parts
      if (turns.size === 0) return
      await store.attestations.renew(evaluating.owner, listening.now() + evaluating.claimLasts)
    },
    drained,
    stop() {
      isOver = true
      return drained()
    },
  }
}

function claim({
  store,
  listening,
  evaluating,
}: EvaluationParts): Promise<AttestationRow | undefined> {
  const now = listening.now()
  const { owner, claimLasts } = evaluating
  return store.attestations.claim('evaluating_evidence', { owner, now, until: now + claimLasts })
}

/** If the outcome cannot be stored, the evidence stays for another turn of this or another process. */
async function evaluateClaimed(parts: EvaluationParts, row: AttestationRow): Promise<void> {
  try {
    await evaluateAndRecord(parts, row)
  } catch (err) {
    const { agent_id, index } = row
    parts.log.error({ err, agent_id, index }, 'verdict could not be stored')
    await parts.store.attestations.release(row, parts.evaluating.owner)
    throw err
  }
}

/** Evidence of a deleted agent is dropped, also if the agent was added again since. */
async function evaluateAndRecord(parts: EvaluationParts, row: AttestationRow): Promise<void> {
  const agent = await parts.store.agents.find(row.agent_id)
  if (agent?.enrolment !== row.enrolment) return
  const started = performance.now()
  const result = await evaluateRow(parts, agent, row)
  for (const finding of result.evaluation.findings) {
    parts.log.warn(
      { agent_id: row.agent_id, index: row.index, finding: finding.type },
      finding.context.message,
    )
  }
  const isRecorded = await recordOutcome(parts, row, result)
  if (isRecorded) parts.metrics?.evaluated(result.evaluation, (performance.now() - started) / 1000)
}

/** An internal fault must not leave the attestation open for ever: it ends as a broken chain, with a log line. */
async function evaluateRow(
  parts: EvaluationParts,
  agent: AgentRow,
  row: AttestationRow,
): Promise<TaskResult> {
  try {
    const policy = await referToPolicy(parts.store, agent)
    return await parts.evaluator.evaluateStored(
      {
        kind: 'stored',
        agent: evaluatedAgent(withStoredPcrs(agent, policy)),
        evidence: new TextEncoder().encode(row.evidence),
        bootPolicy: await loadBootPolicy(parts.store, agent),
        carried: readCarried(agent),
        begunWith: readCarried(row),
        policyDigest: policy?.digest,
        ignoreTomtouErrors: parts.settings.ignoreTomtouErrors,
        bootPolicyName: parts.settings.bootPolicyName,
      },
      policy,
    )
  } catch (err) {
    parts.log.error(
      { err, agent_id: row.agent_id, index: row.index },
      'evidence could not be evaluated',
    )
    const message = 'the evidence could not be evaluated'
    return { evaluation: failedEvaluation('internal.verifier.exception', message) }
  }
}
