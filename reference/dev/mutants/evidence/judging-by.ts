import type { CheckLists } from '../../../evidence/evaluate.ts'
import { evaluatingHere, shippedChecks } from '../../../verifier/evaluation/evaluate-here.ts'
import type { Mutant } from './list-minus-one.ts'

/** The parts in which evidence is judged by other lists. */
export function judgingBy(evidence: CheckLists): Mutant['parts'] {
  return { evaluator: evaluatingHere({ ...shippedChecks, evidence }) }
}
