import type { Evaluation } from '../../../evidence/evaluate.ts'
import type { AttestationRow } from '../../../storage/databases/database.ts'
import { verifierStore } from '../../../storage/verifier-store.ts'
import { inProcessEvaluators } from '../../../verifier/evaluation/in-process-evaluator.ts'
import type { StoredTask } from '../../../verifier/evaluation/task.ts'
import type { Mutant } from './list-minus-one.ts'

/** The parts in which an evaluation comes to other words. */
function concluding(change: (evaluation: Evaluation) => Evaluation): Mutant['parts'] {
  return {
    evaluator: (settings) => {
      const shipped = inProcessEvaluators()(settings)
      const evaluateStored: typeof shipped.evaluateStored = async (task, policy) => {
        const result = await shipped.evaluateStored(task, policy)
        return { ...result, evaluation: change(result.evaluation) }
      }
      return { ...shipped, evaluateStored }
    },
  }
}

/** Parts whose evaluator gets a changed task for stored evidence. */
function changingStoredTask(change: (task: StoredTask) => StoredTask): Mutant['parts'] {
  return {
    evaluator: (settings) => {
      const shipped = inProcessEvaluators()(settings)
      return {
        ...shipped,
        evaluateStored: (task, policy) => shipped.evaluateStored(change(task), policy),
      }
    },
  }
}

/** The parts in which the end of an evaluation is written otherwise. */
function writing(
  change: (row: Partial<AttestationRow>) => Partial<AttestationRow>,
): Mutant['parts'] {
  return {
    verifierStore: (database) => {
      const store = verifierStore(database)
      const { conclude } = store.attestations
      const attestations: typeof store.attestations = {
        ...store.attestations,
        conclude: (key, stage, owner, { attestation, agent }) =>
          conclude(key, stage, owner, { attestation: change(attestation), agent }),
      }
      return { ...store, attestations }
    },
  }
}

function withoutReason({ failureReason: _, ...evaluation }: Evaluation): Evaluation {
  return evaluation
}

/** Verifiers that come to a wrong end of an evaluation, or start it in a wrong place. */
export const EVALUATION_MUTANTS: readonly Mutant[] = [
  {
    id: 'every-reason-policy',
    defect: 'a broken chain of evidence is reported as a policy violation',
    parts: concluding((evaluation) =>
      evaluation.verdict === 'fail'
        ? { ...evaluation, failureReason: 'policy_violation' }
        : evaluation,
    ),
  },
  {
    id: 'every-reason-broken',
    defect: 'a policy violation is reported as a broken chain of evidence',
    parts: concluding((evaluation) =>
      evaluation.verdict === 'fail'
        ? { ...evaluation, failureReason: 'broken_evidence_chain' }
        : evaluation,
    ),
  },
  {
    id: 'reason-left-out',
    defect: 'evidence fails without a reason',
    parts: concluding(withoutReason),
  },
  {
    id: 'reason-of-a-pass',
    defect: 'evidence that passes has a reason for failing',
    parts: concluding((evaluation) => ({ ...evaluation, failureReason: 'policy_violation' })),
  },
  {
    id: 'end-without-time',
    defect: 'an attestation has no time of evaluation',
    parts: writing((row) => ({ ...row, verification_completed_at: null })),
  },
  {
    id: 'end-still-pending',
    defect: 'an attestation is over, and pending',
    parts: writing((row) => ({ ...row, evaluation: 'pending' })),
  },
  {
    id: 'carried-value-lost',
    defect: 'a continued list is replayed without the PCR value that it continues from',
    parts: changingStoredTask((task) => ({ ...task, begunWith: undefined })),
  },
]
