import type { FuzzKind } from '../kinds.ts'
import type { Contradiction } from '../oracle/contradiction.ts'
import type { Recipe } from '../stages.ts'
import type { Answer } from './answer.ts'

/** What a fuzzer can find, the worst first. */
export const SEVERITIES = [
  'false pass',
  'lost service',
  'crash',
  'server error',
  'hang',
  'memory',
  'changed answer',
] as const

export type Severity = (typeof SEVERITIES)[number]

/** One request of a finding: how it was made, and its body as it was sent, unless something had to be taken out. */
export interface FoundInput {
  readonly recipe: Recipe
  readonly body?: string
}

/** One finding, as it stands in its file: `--replay` takes it from there. */
export interface Finding {
  readonly schema: 'assay.fuzz-finding/1'
  readonly kind: FuzzKind
  readonly route: string
  readonly severity: Severity
  /** Of the campaign, and which of its runs. */
  readonly seed: string
  readonly run: number
  readonly target: string
  /** One sentence for people. */
  readonly sentence: string
  /** What the evidence says and must not. */
  readonly says: readonly Contradiction[]
  /** One request, or for a lost service all that came since it was last there. */
  readonly shots: readonly FoundInput[]
  readonly answer: Answer
  /** How many runs ended so, for the same reason. */
  times: number
}

/** What one answer to one mutant amounts to; undefined when it is all right. */
export function severityOf(
  answer: Answer,
  says: () => readonly Contradiction[],
): Severity | undefined {
  switch (answer.kind) {
    case 'passed':
      return says().length > 0 ? 'false pass' : undefined
    case 'server error':
      return 'server error'
    case 'no answer':
      return 'hang'
    case 'crashed':
      return 'crash'
    case 'too large':
      return 'memory'
    default:
      return undefined
  }
}

/** The worst first; of equals what takes fewer steps, and fewer bytes. */
export function ranked(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (one, other) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      stepsOf(one) - stepsOf(other) ||
      bytesOf(one) - bytesOf(other),
  )
}

function stepsOf({ shots }: Finding): number {
  return shots.reduce((sum, { recipe }) => sum + recipe.length, 0)
}

function bytesOf({ shots }: Finding): number {
  return shots.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
}

/** Findings with the same words have, as far as can be seen from outside, the same cause. */
export function causeOf(
  severity: Severity,
  recipe: Recipe,
  says: readonly Contradiction[],
): string {
  const why =
    severity === 'false pass' ? says.map(({ id }) => id) : recipe.map(({ mutation }) => mutation)
  return [severity, ...why.toSorted()].join(' ')
}
