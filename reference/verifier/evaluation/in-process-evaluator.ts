import { type CheckLists, defaultChecks, evaluate } from '../../evidence/evaluate.ts'
import { LineMemo } from '../../evidence/ima/list/line-memo.ts'
import { quoteChecks } from '../../evidence/quote/quote.ts'
import { parseReferenceState } from '../../evidence/uefi/policy/reference-state.ts'
import { rememberPolicies, rememberStates } from '../policies/remember-policies.ts'
import { answerChecks } from '../pull/answer-checks.ts'
import type { TaskParts } from './evaluate-task.ts'
import { type Evaluator, type EvaluatorSettings, evaluatorOn } from './evaluator.ts'
import { answering, keepStep, questionOf } from './exchange.ts'
import { type Evaluate, withTimeLimit } from './with-time-limit.ts'

/** The checks of an evaluation. */
export interface EvaluationChecks {
  readonly evidence: CheckLists
  /** Of the host's quote in a deep quote. */
  readonly host: CheckLists
  readonly identity: TaskParts['identityChecks']
  readonly answer: TaskParts['answerChecks']
}

export const shippedChecks: EvaluationChecks = {
  evidence: defaultChecks,
  host: defaultChecks,
  identity: quoteChecks,
  answer: answerChecks,
}

/** Dependencies of task evaluation with the given checks; IMA lines that passed are cached across lists. */
export function taskParts(checks: EvaluationChecks): TaskParts {
  const memo = new LineMemo()
  return {
    evaluate: (evidence) => evaluate(evidence, checks.evidence, memo),
    evaluateHost: (evidence) => evaluate(evidence, checks.host),
    identityChecks: checks.identity,
    answerChecks: checks.answer,
    ...policyReaders(),
  }
}

/** Policies of agents and policies sent by third parties have separate caches. */
function policyReaders(): Pick<TaskParts, 'readSentPolicy' | 'readState' | 'readSentState'> {
  return {
    readSentPolicy: rememberPolicies(),
    readState: rememberStates(),
    readSentState: rememberStates((text) => parseReferenceState(text, 'mb_policy')),
  }
}

/** Evaluators that run in this thread: replaced checks are functions, which cannot cross to another thread. */
export function inProcessEvaluators(
  checks: EvaluationChecks = shippedChecks,
): (settings: Pick<EvaluatorSettings, 'limit'>) => Evaluator {
  return ({ limit }) => {
    const parts = taskParts(checks)
    return inProcessEvaluator({ ...parts, evaluate: withTimeLimit(parts.evaluate, limit) })
  }
}

/** An evaluator in this thread with the given evaluation function. */
export function inProcessEvaluator(parts: {
  readonly evaluate: Evaluate
  readonly evaluateHost?: Evaluate
  readonly identityChecks?: TaskParts['identityChecks']
}): Evaluator {
  const answer = answering({
    evaluateHost: parts.evaluate,
    identityChecks: quoteChecks,
    answerChecks,
    ...policyReaders(),
    ...parts,
  })
  const sent = new Set<string>()
  return evaluatorOn({
    atOnce: 1,
    async run(job) {
      const { question } = await questionOf(job, sent)
      const reply = answer(question)
      keepStep(sent, question, reply)
      return reply
    },
    close: () => Promise.resolve(),
  })
}
