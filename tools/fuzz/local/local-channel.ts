import { at, listOf } from '../../../conformance/attempt/reply.ts'
import { DIALECTS } from '../../../conformance/dialects/dialect.ts'
import type { Answer } from '../findings/answer.ts'
import type { EvidenceChannel } from '../routes/evidence-route.ts'
import type { LocalEvaluator, Outcome } from './local-evaluator.ts'

/** The name of the route to an evaluator on this machine, as findings have it. */
const LOCAL_ROUTE = 'verify-evidence --batch'

function objectIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The answer in one line: `valid` with `failures` as verify/evidence has them, or `error`. */
function answerOfLine(text: string): Answer {
  const answer = objectIn(text)
  const [valid, error] = [at(answer, 'valid'), at(answer, 'error')]
  if (valid === true || valid === 1) return { kind: 'passed', line: 'passed', text }
  if (typeof error === 'string') return { kind: 'refused', line: `refused: ${error}`, text }
  if (valid !== false && valid !== 0) return { kind: 'unreadable', line: 'unreadable', text }
  const types = (listOf(at(answer, 'failures')) ?? []).map((one) => String(at(one, 'type')))
  return { kind: 'failed', line: `failed: ${types.toSorted().join(', ')}`, text }
}

function answerOf(outcome: Outcome): Answer {
  switch (outcome.kind) {
    case 'line':
      return answerOfLine(outcome.line)
    case 'crash':
      return { kind: 'crashed', line: 'a crash: the process ended', text: outcome.how }
    case 'hang':
      return { kind: 'no answer', line: 'no answer in its time', text: `${outcome.ms} ms` }
    case 'memory':
      return { kind: 'too large', line: 'too much memory', text: `${outcome.bytes} bytes more` }
  }
}

/** Evidence goes to an evaluator on this machine, as the body of verify/evidence in one line. */
export function localChannel(evaluator: LocalEvaluator, atOnce: number): EvidenceChannel {
  return {
    ...{ name: LOCAL_ROUTE, dialect: DIALECTS.document, atOnce },
    // To JSON the two are the same: a blank between values, and forbidden inside of a text.
    send: async (body) => answerOf(await evaluator.ask(body.replaceAll('\n', '\r'))),
  }
}
