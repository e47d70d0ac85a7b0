import { type CheckLists, defaultChecks, evaluate } from '../../evidence/evaluate.ts'
import { LineMemo } from '../../evidence/ima/list/line-memo.ts'
import { quoteChecks } from '../../evidence/quote/quote.ts'
import { type Evaluate, evaluateInTime } from '../evaluate-in-time.ts'
import { rememberPolicies, rememberStates } from '../policies/remember-policies.ts'
import { answerChecks } from '../pull/answer-checks.ts'
import { type Evaluator, type EvaluatorSettings, evaluatorAt } from './evaluator.ts'
import { answering, keepStep, questionOf } from './exchange.ts'
import type { JudgeParts } from './judge-task.ts'

/** What evidence is asked. */
export interface EvaluationChecks {
  readonly evidence: CheckLists
  readonly identity: JudgeParts['identityChecks']
  readonly answer: JudgeParts['answerChecks']
}

export const shippedChecks: EvaluationChecks = {
  evidence: defaultChecks,
  identity: quoteChecks,
  answer: answerChecks,
}

/** What judges by some checks, in whichever thread; lines that were judged good are remembered from one list to the next. */
export function judgeParts(checks: EvaluationChecks): JudgeParts {
  const memo = new LineMemo()
  return {
    evaluate: (evidence) => evaluate(evidence, checks.evidence, memo),
    identityChecks: checks.identity,
    answerChecks: checks.answer,
    ...policyReaders(),
  }
}

/** What agents are judged by stays apart from what anybody sends. */
function policyReaders(): Pick<JudgeParts, 'readSentPolicy' | 'readState' | 'readSentState'> {
  return {
    readSentPolicy: rememberPolicies(),
    readState: rememberStates(),
    readSentState: rememberStates(),
  }
}

/** Evaluates in this thread: for checks that are functions of somebody's, as functions do not cross to another. */
export function evaluatingHere(
  checks: EvaluationChecks = shippedChecks,
): (settings: Pick<EvaluatorSettings, 'limit'>) => Evaluator {
  return ({ limit }) => {
    const parts = judgeParts(checks)
    return evaluatorHere({ ...parts, evaluate: evaluateInTime(parts.evaluate, limit) })
  }
}

/** The same with whatever judges. */
export function evaluatorHere(parts: {
  readonly evaluate: Evaluate
  readonly identityChecks?: JudgeParts['identityChecks']
}): Evaluator {
  const answer = answering({
    identityChecks: quoteChecks,
    answerChecks,
    ...policyReaders(),
    ...parts,
  })
  const sent = new Set<string>()
  return evaluatorAt({
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
