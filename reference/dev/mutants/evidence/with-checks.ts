import type { CheckLists } from '../../../evidence/evaluate.ts'
import {
  inProcessEvaluators,
  shippedChecks,
} from '../../../verifier/evaluation/in-process-evaluator.ts'
import type { Mutant } from './list-minus-one.ts'

/** Parts with other check lists. */
export function withChecks(evidence: CheckLists): Mutant['parts'] {
  return { evaluator: inProcessEvaluators({ ...shippedChecks, evidence }) }
}
