import { createContext, Script } from 'node:vm'
import type { Evaluation, EvidenceCase } from '../../evidence/evaluate.ts'
import { threadTime } from '../../platform/thread-time.ts'
import { failedEvaluation } from './failed-evaluation.ts'

export type Evaluate = (evidence: EvidenceCase) => Evaluation

const CALL = new Script('run()')

/**
 * Limits an evaluation to `milliseconds` of work, by the CPU time of this thread; evidence that takes longer fails.
 * Expressions of a policy are matched in time linear in a name, and still a hundred of them over a hundred thousand
 * names take long, and any client may send both to verify/evidence. Evaluation changes nothing outside itself but for
 * lines it remembers, each at once, so it can be cut off anywhere, and begun again: Node cuts off by the clock, and on a
 * busy machine that is before the time of work is over. Without a limit (Infinity) no thread watches an evaluation, which
 * takes less time.
 */
export function withTimeLimit(
  evaluate: Evaluate,
  milliseconds: number,
  worked: () => number | undefined = threadTime,
): Evaluate {
  if (milliseconds === Number.POSITIVE_INFINITY) return evaluate
  const job: { run?: () => void } = {}
  // One context for all calls: creating one takes longer than checking a quote.
  const context = createContext(job)
  const endsWithin = (timeout: number): boolean => {
    try {
      CALL.runInContext(context, { timeout })
      return true
    } catch (error) {
      if (!isTimeout(error)) throw error
      return false
    }
  }
  return (evidence) => {
    let evaluation: Evaluation | undefined
    job.run = () => {
      evaluation = evaluate(evidence)
    }
    try {
      for (let timeout = milliseconds; ; timeout *= 2) {
        const before = worked() ?? Number.NEGATIVE_INFINITY
        if (endsWithin(timeout)) break
        if ((worked() ?? 0) - before >= milliseconds) return tooLong(milliseconds)
      }
    } finally {
      // Evidence may be large; release it.
      delete job.run
    }
    if (evaluation === undefined) throw new Error('the evaluation ended without an outcome')
    return evaluation
  }
}

function tooLong(milliseconds: number): Evaluation {
  return failedEvaluation(
    'internal.verifier.timeout',
    `the evidence was not evaluated within ${milliseconds} ms`,
  )
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
