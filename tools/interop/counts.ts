import type { Outcome } from '../../conformance/report/result.ts'

/** Classes of outcomes of a scenario run against the other implementation. */
export const CLASSES = ['passed', 'failed', 'excused', 'blocked', 'not applicable'] as const
type Class = (typeof CLASSES)[number]

/** Number of scenarios in each class. */
export type Counts = Readonly<Record<Class, number>>

/** A hang is a failure of the subject; skipped scenarios wait in real time and never run here. */
const CLASS_OF: Readonly<Record<Outcome, Class>> = {
  pass: 'passed',
  warn: 'passed',
  observed: 'passed',
  fail: 'failed',
  hang: 'failed',
  'harness-fault': 'failed',
  waived: 'excused',
  blocked: 'blocked',
  'not-applicable': 'not applicable',
  skipped: 'not applicable',
}

/** Sums the totals of a run (outcome -> number of scenarios) by class; missing outcomes count as 0. */
export function countsOf(totals: unknown): Counts {
  const ended = Object.entries(CLASS_OF).map(
    ([outcome, one]) => [one, Number(Object(totals)[outcome] ?? 0)] as const,
  )
  const sum = (wanted: Class) =>
    ended.reduce((all, [one, count]) => (one === wanted ? all + count : all), 0)
  return Object.fromEntries(CLASSES.map((one) => [one, sum(one)])) as Counts
}

/** The classes that are not empty: `174 passed, 37 failed`. */
export function presentCounts(counts: Counts): string {
  return CLASSES.filter((one) => counts[one] > 0)
    .map((one) => `${counts[one]} ${one}`)
    .join(', ')
}
