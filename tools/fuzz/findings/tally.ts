import { ANSWER_KINDS, type AnswerKind } from './answer.ts'

/** How many mutants of one route were answered how. */
export interface Tally {
  readonly route: string
  readonly counts: Record<AnswerKind, number>
  /** Mutants sent; honest ones, probes and attempts to make a finding smaller are not among them. */
  runs: number
  /** Honest requests among the runs, all of which passed unless there is a finding. */
  honest: number
}

export function emptyTally(route: string): Tally {
  const counts = Object.fromEntries(ANSWER_KINDS.map((kind) => [kind, 0])) as Tally['counts']
  return { route, counts, runs: 0, honest: 0 }
}
