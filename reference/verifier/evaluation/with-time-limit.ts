import { createContext, Script } from 'node:vm'
import type { Evaluation, EvidenceCase } from '../../evidence/evaluate.ts'
import { failedEvaluation } from './failed-evaluation.ts'

export type Evaluate = (evidence: EvidenceCase) => Evaluation

const CALL = new Script('run()')

/**
 * The same evaluation with an end: evidence that is not judged after `milliseconds` of work has failed.
 * Expressions of a policy are matched in time linear in a name, and still a hundred of them over a hundred thousand
 * names take long, and anybody may bring both to verify/evidence. Evaluation changes nothing outside itself but for
 * lines it remembers, each at once, so it can be cut off anywhere.
 */
export function withTimeLimit(evaluate: Evaluate, milliseconds: number): Evaluate {
  const job: { run?: () => void } = {}
  // One context for all: making one takes longer than judging a quote, and what runs in it is a single call.
  const context = createContext(job)
  return (evidence) => {
    let evaluation: Evaluation | undefined
    job.run = () => {
      evaluation = evaluate(evidence)
    }
    try {
      CALL.runInContext(context, { timeout: milliseconds })
    } catch (error) {
      if (!isTimeout(error)) throw error
      return failedEvaluation(
        'internal.verifier.timeout',
        `the evidence was not judged within ${milliseconds} ms`,
      )
    } finally {
      // Evidence may be large, and nobody looks at it again.
      delete job.run
    }
    if (evaluation === undefined) throw new Error('the evaluation ended without an outcome')
    return evaluation
  }
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
