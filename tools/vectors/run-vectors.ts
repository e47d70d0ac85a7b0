import type { Answer } from '../fuzz/findings/answer.ts'
import { localChannel } from '../fuzz/local/local-channel.ts'
import { LocalEvaluator } from '../fuzz/local/local-evaluator.ts'
import type { EvaluatorCommand } from '../fuzz/local/program.ts'
import type { Vector, VectorGroup } from './vectors.ts'

/** What an adapter said of a vector. */
export interface VectorResult {
  readonly vector: Vector
  /** `not judged` where the adapter does not support such evidence; `no answer` where none came, or none that says yes or no. */
  readonly answered: 'valid' | 'invalid' | 'not judged' | 'no answer'
  readonly outcome: 'agrees' | 'differs' | 'not judged'
  /** The line of the answer, or what became of the process. */
  readonly line: string
}

export interface GroupResult {
  readonly group: string
  readonly results: readonly VectorResult[]
}

/** Milliseconds for an answer; larger inputs have more. */
const DEADLINE = 10_000
/** Vectors that an adapter is given before it has answered the first of them. */
const AT_ONCE = 32

/**
 * Gives every vector to an adapter: a program that reads a body of POST verify/evidence a line, and prints a line of JSON for
 * each, in order: `{"valid": true}`, `{"valid": false, "failures": […]}`, or `{"error": "…"}` where it cannot be read, or
 * `{"skip": "…"}` where the adapter does not support such evidence.
 */
export async function runVectors(
  command: EvaluatorCommand,
  groups: readonly VectorGroup[],
): Promise<readonly GroupResult[]> {
  const [baseline] = groups.flatMap(({ vectors }) => vectors)
  if (baseline === undefined) return []
  const settings = { command, baseline: JSON.stringify(baseline.body), atOnce: AT_ONCE }
  const evaluator = new LocalEvaluator({ ...settings, deadlineMs: DEADLINE })
  const channel = localChannel(evaluator, AT_ONCE)
  try {
    return await Promise.all(
      groups.map(async ({ group, vectors }) => ({
        group,
        results: await Promise.all(
          vectors.map(async (vector) =>
            resultOf(vector, await channel.send(JSON.stringify(vector.body))),
          ),
        ),
      })),
    )
  } finally {
    await evaluator.close()
  }
}

function resultOf(vector: Vector, answer: Answer): VectorResult {
  const answered = answeredOf(answer)
  return { vector, answered, outcome: outcomeOf(vector, answered), line: answer.text }
}

function outcomeOf(
  { expected }: Vector,
  answered: VectorResult['answered'],
): VectorResult['outcome'] {
  if (answered === 'not judged') return 'not judged'
  if (expected === 'either') return answered === 'no answer' ? 'differs' : 'agrees'
  return answered === expected ? 'agrees' : 'differs'
}

function answeredOf({ kind, text }: Answer): VectorResult['answered'] {
  if (kind === 'passed') return 'valid'
  if (kind === 'failed' || kind === 'refused') return 'invalid'
  return kind === 'unreadable' && /^\s*\{\s*"skip"/.test(text) ? 'not judged' : 'no answer'
}
