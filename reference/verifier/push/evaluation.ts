import type { Clock } from '../../clock.ts'
import type { Evaluation, EvidenceCase } from '../../evidence/evaluate.ts'
import type { Log } from '../../log.ts'
import type { AgentRow, AttestationRow } from '../../storage/database.ts'
import type { VerifierStore } from '../../storage/verifier-store.ts'
import { loadRuntimePolicy } from '../policies/load-runtime-policy.ts'
import { readCarried } from './carried.ts'
import { evidenceCase } from './evidence-case.ts'
import type { EvidenceItem } from './evidence-item.ts'
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
  readonly evaluate: (evidence: EvidenceCase) => Evaluation
  readonly settings: EvaluationSettings
}

/** The queue of attestations whose evidence is judged after the answer went out. */
export interface EvaluationQueue {
  enqueue(row: AttestationRow): void
  /** Takes up what an earlier process left in `evaluating_evidence`. */
  resume(): Promise<void>
  /** Resolves when nothing is being judged. */
  drained(): Promise<void>
}

/** One evaluation at a time, in the order of arrival; a fault in one never ends the queue. */
export function evaluationQueue(parts: EvaluationParts): EvaluationQueue {
  let tail: Promise<void> = Promise.resolve()
  const enqueue = (row: AttestationRow): void => {
    tail = tail
      .then(() => judge(parts, row))
      .catch((error) => parts.log.error({ error }, 'evaluation'))
  }
  return {
    enqueue,
    async resume() {
      for (const row of await parts.store.attestations.inStage('evaluating_evidence')) enqueue(row)
    },
    drained: () => tail,
  }
}

async function judge(parts: EvaluationParts, row: AttestationRow): Promise<void> {
  const agent = await parts.store.agents.find(row.agent_id)
  if (agent === undefined) return
  const evaluation = await evaluateRow(parts, agent, row)
  for (const finding of evaluation.findings) {
    parts.log.warn(
      { agent_id: row.agent_id, index: row.index, finding: finding.type },
      finding.context.message,
    )
  }
  await recordOutcome(parts, agent, row, evaluation)
}

/** A fault of ours must not leave the stage open for ever: it ends as a broken chain, and in the log. */
async function evaluateRow(
  parts: EvaluationParts,
  agent: AgentRow,
  row: AttestationRow,
): Promise<Evaluation> {
  try {
    return parts.evaluate(
      evidenceCase({
        agent,
        runtimePolicy: await loadRuntimePolicy(parts.store, agent),
        items: JSON.parse(row.evidence) as readonly EvidenceItem[],
        carried: readCarried(agent),
        ignoreTomtouErrors: parts.settings.ignoreTomtouErrors,
      }),
    )
  } catch (error) {
    parts.log.error(
      { error, agent_id: row.agent_id, index: row.index },
      'evidence could not be evaluated',
    )
    const message = 'the evidence could not be evaluated'
    const finding = {
      type: 'internal.verifier.exception',
      reason: 'broken_evidence_chain',
      context: { message },
    } as const
    return { verdict: 'fail', failureReason: 'broken_evidence_chain', findings: [finding] }
  }
}
