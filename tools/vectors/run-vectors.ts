import { at, listOf } from '../../conformance/attempt/reply.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { shortLine, visibleLine } from '../../conformance/report/visible.ts'
import type { Answer } from '../fuzz/findings/answer.ts'
import { localChannel } from '../fuzz/local/local-channel.ts'
import { LocalEvaluator } from '../fuzz/local/local-evaluator.ts'
import type { EvaluatorCommand } from '../fuzz/local/program.ts'
import type { VectorResult } from './results.ts'
import type { Vector, VectorGroup } from './vector.ts'

/** Milliseconds for an answer; larger inputs have more. */
const DEADLINE = 10_000
/** Vectors that an adapter is given before it has answered the first of them. */
const AT_ONCE = 32
/** An adapter that loses the first ones is no adapter. */
const MOST_LOST = 5

interface RunSettings {
  /** How often each vector is given; a later answer has to be the same. */
  readonly rounds?: number
  /** How many processes of the adapter share the vectors. */
  readonly jobs?: number
  readonly deadlineMs?: number
  /** Called with each answer as it comes. */
  readonly onAnswer?: () => void
}

/**
 * Gives every vector to an adapter: a program that reads a body of POST verify/evidence a line, with the `id` of the
 * vector, and prints a line of JSON for each, in order: `{"valid": true}`, `{"valid": false}`, `{"error": "…"}` where
 * it cannot be read, or `{"skip": "…"}` where the adapter does not support such evidence. `"unread": ["mb_policy"]` in
 * an answer names the policies that it ignored.
 */
export async function runVectors(
  command: EvaluatorCommand,
  groups: readonly VectorGroup[],
  { rounds = 1, jobs = 1, deadlineMs = DEADLINE, onAnswer }: RunSettings = {},
): Promise<readonly VectorResult[]> {
  const vectors = groups.flatMap(({ group, vectors: own }) => own.map((one) => ({ group, ...one })))
  const [first] = vectors
  if (first === undefined) return []
  const called = { name: 'adapter', option: '--adapter' }
  const settings = { command, baseline: lineOf(first), atOnce: AT_ONCE, deadlineMs, called }
  const evaluators = Array.from({ length: jobs }, () => new LocalEvaluator(settings))
  try {
    const asked = evaluators.map((evaluator) => asking(evaluator, onAnswer))
    const given = Array.from({ length: rounds }, () => vectors).flat()
    const answers = await Promise.all(
      given.flatMap((vector, at) => asked[at % jobs]?.(vector) ?? []),
    )
    await Promise.all(evaluators.map((evaluator) => evaluator.finish()))
    refuseNoise(answers)
    return vectors.map((vector, index) => {
      const own = Array.from({ length: rounds }, (_, round) => round * vectors.length + index)
      return resultOf(
        vector,
        own.flatMap((one) => answers[one] ?? []),
      )
    })
  } finally {
    await Promise.all(evaluators.map((evaluator) => evaluator.close()))
  }
}

function lineOf({ id, body }: Pick<Vector, 'id' | 'body'>): string {
  return JSON.stringify({ id, ...body })
}

/** Gives a vector to the adapter. Rejects where it answers none of the first, or in another order. */
function asking(
  evaluator: LocalEvaluator,
  onAnswer?: () => void,
): (vector: Vector) => Promise<Answer> {
  const channel = localChannel(evaluator, AT_ONCE)
  let answered = 0
  let lost = 0
  return async (vector) => {
    const answer = await channel.send(lineOf(vector))
    if (answer.kind === 'crashed' || answer.kind === 'no answer') lost += 1
    else answered += 1
    if (answered === 0 && lost === MOST_LOST)
      throw new SetupFault(
        `the adapter answered none of the first ${MOST_LOST} vectors; of the last there was ${answer.line} (${answer.text})`,
        {
          next: 'an adapter answers each line of its input with one line, and ends with its input',
        },
      )
    checkOrder(vector.id, answer)
    onAnswer?.()
    return answer
  }
}

/** An answer may repeat the id of its line. */
function checkOrder(id: string, { kind, text }: Answer): void {
  if (kind === 'crashed' || kind === 'no answer') return
  const named = at(objectIn(text), 'id')
  if (named === undefined || named === id) return
  throw new SetupFault(
    `the adapter answered ${JSON.stringify(named)} where the answer to ${JSON.stringify(id)} is due`,
    { next: 'an adapter answers lines in their order, each with one line' },
  )
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Refuses an adapter if no line that it printed says anything. */
function refuseNoise(answers: readonly Answer[]): void {
  const [first] = answers
  const isNoise = answers.every(
    ({ kind, text }) => kind === 'unreadable' && at(objectIn(text), 'skip') === undefined,
  )
  if (first !== undefined && isNoise)
    throw new SetupFault(
      `no line of the adapter is an answer; the first is ${shortLine(visibleLine(first.text), SHOWN)}`,
      {
        next: 'an answer is {"valid": true}, {"valid": false}, {"error": "..."} or {"skip": "..."}',
      },
    )
}

/** Longer lines in a sentence, and longer answers, are cut. */
const SHOWN = 80
const LONGEST_ANSWER = 4000

function resultOf(
  vector: Vector & { readonly group: string },
  answers: readonly Answer[],
): VectorResult {
  const { id, group, expected } = vector
  const all = answers.map((answer) => answeredOf(answer, vector))
  const [first = 'no answer'] = all
  const changed = all.findIndex((one) => one !== first)
  const answered = changed === -1 ? first : 'unstable'
  const answer = (answers[Math.max(0, changed)]?.text ?? '').slice(0, LONGEST_ANSWER)
  return { id, group, expected, answered, outcome: outcomeOf(expected, answered), answer }
}

function outcomeOf(
  expected: Vector['expected'],
  answered: VectorResult['answered'],
): VectorResult['outcome'] {
  if (answered === 'not judged') return 'not judged'
  if (expected === 'either')
    return answered === 'valid' || answered === 'invalid' ? 'agrees' : 'differs'
  return answered === expected ? 'agrees' : 'differs'
}

/** A library that reads no policy cannot see what the policy forbids. */
function answeredOf({ kind, text }: Answer, { policy }: Vector): VectorResult['answered'] {
  if (kind === 'passed') {
    const unread = listOf(at(objectIn(text), 'unread')) ?? []
    return policy !== undefined && unread.includes(policy) ? 'not judged' : 'valid'
  }
  if (kind === 'failed' || kind === 'refused') return 'invalid'
  return kind === 'unreadable' && at(objectIn(text), 'skip') !== undefined
    ? 'not judged'
    : 'no answer'
}
