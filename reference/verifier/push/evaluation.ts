import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { AttestationKey } from '../../storage/attestation-store.ts'
import type { AgentRow, AttestationRow } from '../../storage/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'
import { judgedAgent } from '../evaluation/judged-agent.ts'
import type { Judgement } from '../evaluation/task.ts'
import { failedEvaluation } from '../failed-evaluation.ts'
import { loadBootPolicy } from '../policies/load-boot-policy.ts'
import { referToPolicy } from '../policies/refer-to-policy.ts'
import { readCarried } from './carried.ts'
import { recordOutcome } from './record-outcome.ts'

export interface EvaluationSettings {
  readonly ignoreTomtouErrors: boolean
  /** Milliseconds a passing attestation gives the token; undefined when it gives none. */
  readonly tokenExtension: number | undefined
}

export interface EvaluationParts {
  readonly store: VerifierStore
  readonly clock: Clock
  readonly log: Log
  readonly evaluator: Evaluator
  readonly settings: EvaluationSettings
}

/** The queue of attestations whose evidence is judged after the answer went out. */
export interface EvaluationQueue {
  enqueue(key: AttestationKey): void
  /** Takes up what an earlier process left in `evaluating_evidence`. */
  resume(): Promise<void>
  /** Resolves when nothing is being judged. */
  drained(): Promise<void>
}

/**
 * One evaluation at a time, in the order of arrival; a fault in one never ends the queue. What waits
 * is a key, not evidence: the queue of a busy verifier stays small.
 */
export function evaluationQueue(parts: EvaluationParts): EvaluationQueue {
  let tail: Promise<void> = Promise.resolve()
  const enqueue = (key: AttestationKey): void => {
    tail = tail
      .then(() => judge(parts, key))
      .catch((err) => parts.log.error({ err, ...key }, 'an evaluation could not be recorded'))
  }
  return {
    enqueue,
    async resume() {
      for (const key of await parts.store.attestations.inStage('evaluating_evidence')) enqueue(key)
    },
    drained: () => tail,
  }
}

/** An agent that was deleted, or deleted and added again, is not judged by what it sent before. */
async function judge(parts: EvaluationParts, key: AttestationKey): Promise<void> {
  const row = await parts.store.attestations.find(key.agent_id, key.index)
  const agent = await parts.store.agents.find(key.agent_id)
  if (row?.enrolment !== key.enrolment || agent?.enrolment !== key.enrolment) return
  const judgement = await evaluateRow(parts, agent, row)
  for (const finding of judgement.evaluation.findings) {
    parts.log.warn(
      { agent_id: row.agent_id, index: row.index, finding: finding.type },
      finding.context.message,
    )
  }
  await recordOutcome(parts, agent, row, judgement)
}

/** A fault of ours must not leave the stage open for ever: it ends as a broken chain, and in the log. */
async function evaluateRow(
  parts: EvaluationParts,
  agent: AgentRow,
  row: AttestationRow,
): Promise<Judgement> {
  try {
    return await parts.evaluator.judgeStored(
      {
        kind: 'stored',
        agent: judgedAgent(agent),
        evidence: new TextEncoder().encode(row.evidence),
        bootPolicy: await loadBootPolicy(parts.store, agent),
        carried: readCarried(agent),
        begunWith: readCarried(row),
        ignoreTomtouErrors: parts.settings.ignoreTomtouErrors,
      },
      await referToPolicy(parts.store, agent),
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
