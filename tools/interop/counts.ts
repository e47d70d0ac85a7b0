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

/** The class of an outcome. */
export function classOf(outcome: Outcome): Class {
  return CLASS_OF[outcome]
}

/** Counts outcomes by class. */
export function countsOf(outcomes: readonly Outcome[]): Counts {
  const count = (wanted: Class) => outcomes.filter((one) => classOf(one) === wanted).length
  return Object.fromEntries(CLASSES.map((one) => [one, count(one)])) as Counts
}

/** The classes that are not empty: `174 passed, 37 failed`. */
export function presentCounts(counts: Counts): string {
  return CLASSES.filter((one) => counts[one] > 0)
    .map((one) => `${counts[one]} ${one}`)
    .join(', ')
}
