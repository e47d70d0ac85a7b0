import { type CheckLists, defaultChecks, evaluate } from '../../evidence/evaluate.ts'
import { LineMemo } from '../../evidence/ima/list/line-memo.ts'
import { quoteChecks } from '../../evidence/quote/quote.ts'
import { rememberPolicies, rememberStates } from '../policies/remember-policies.ts'
import { answerChecks } from '../pull/answer-checks.ts'
import type { TaskParts } from './evaluate-task.ts'
import { type Evaluator, type EvaluatorSettings, evaluatorOn } from './evaluator.ts'
import { answering, keepStep, questionOf } from './exchange.ts'
import { type Evaluate, withTimeLimit } from './with-time-limit.ts'

/** What evidence is asked. */
export interface EvaluationChecks {
  readonly evidence: CheckLists
  readonly identity: TaskParts['identityChecks']
  readonly answer: TaskParts['answerChecks']
}

export const shippedChecks: EvaluationChecks = {
  evidence: defaultChecks,
  identity: quoteChecks,
  answer: answerChecks,
}

/** What judges by some checks, in whichever thread; lines that were judged good are remembered from one list to the next. */
export function taskParts(checks: EvaluationChecks): TaskParts {
  const memo = new LineMemo()
  return {
    evaluate: (evidence) => evaluate(evidence, checks.evidence, memo),
    identityChecks: checks.identity,
    answerChecks: checks.answer,
    ...policyReaders(),
  }
}

/** What agents are judged by stays apart from what anybody sends. */
function policyReaders(): Pick<TaskParts, 'readSentPolicy' | 'readState' | 'readSentState'> {
  return {
    readSentPolicy: rememberPolicies(),
    readState: rememberStates(),
    readSentState: rememberStates(),
  }
}

/** Evaluates in this thread: for checks that are functions of somebody's, as functions do not cross to another. */
export function inProcessEvaluators(
  checks: EvaluationChecks = shippedChecks,
): (settings: Pick<EvaluatorSettings, 'limit'>) => Evaluator {
  return ({ limit }) => {
    const parts = taskParts(checks)
    return inProcessEvaluator({ ...parts, evaluate: withTimeLimit(parts.evaluate, limit) })
  }
}

/** The same with whatever judges. */
export function inProcessEvaluator(parts: {
  readonly evaluate: Evaluate
  readonly identityChecks?: TaskParts['identityChecks']
}): Evaluator {
  const answer = answering({
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
