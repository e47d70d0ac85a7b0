import type { Outcome } from '../../conformance/report/result.ts'

/** What may become of a scenario beside another implementation. */
export const CLASSES = ['passed', 'failed', 'excused', 'blocked', 'not applicable'] as const
export type Class = (typeof CLASSES)[number]

/** How many scenarios of a run are in each class. */
export type Counts = Readonly<Record<Class, number>>

/** A hang is a failure of whoever let it wait; what was skipped waits for real time and is asked of nobody here. */
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

/** Sums the totals of a run up: outcome -> how many scenarios ended so; what is not there is none. */
export function countsOf(totals: unknown): Counts {
  const ended = Object.entries(CLASS_OF).map(
    ([outcome, one]) => [one, Number(Object(totals)[outcome] ?? 0)] as const,
  )
  const sum = (wanted: Class) =>
    ended.reduce((all, [one, count]) => (one === wanted ? all + count : all), 0)
  return Object.fromEntries(CLASSES.map((one) => [one, sum(one)])) as Counts
}

/** `174 passed, 37 failed`: the classes that something is in. */
export function presentCounts(counts: Counts): string {
  return CLASSES.filter((one) => counts[one] > 0)
    .map((one) => `${counts[one]} ${one}`)
    .join(', ')
}
