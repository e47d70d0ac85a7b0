import type { CheckResult, Outcome, Strength } from '../result.ts'

export const STANDINGS = ['held', 'warned', 'excused', 'broke'] as const

/** How one check came out once excuses and the strength of its requirement are weighed; best first. */
export type Standing = (typeof STANDINGS)[number]

interface StandingRow {
  /** The drawing that stands for it. */
  readonly shape: Outcome
  readonly words: string
}

export const STANDING_ROWS: Readonly<Record<Standing, StandingRow>> = {
  held: { shape: 'pass', words: 'held' },
  warned: { shape: 'warn', words: 'did not hold, warned' },
  excused: { shape: 'waived', words: 'did not hold, excused' },
  broke: { shape: 'fail', words: 'did not hold' },
}

/** An excuse goes before the strength: what a person wrote down is what a reader should see. */
export const standingOf = ({ ok, excused, strength }: CheckResult): Standing => {
  if (ok) return 'held'
  if (excused !== undefined) return 'excused'
  return strength === undefined ? 'broke' : 'warned'
}

const WARNINGS: Readonly<Record<Strength, string | undefined>> = {
  fixed: undefined,
  'two-readings': 'the document can be read in two ways here, and it was met in neither',
  silent: 'the document is silent here',
}

/** Why a check that did not hold does not count; undefined when it held, or does count. */
export const leniencyOf = (check: CheckResult): string | undefined => {
  switch (standingOf(check)) {
    case 'excused':
      return check.excused
    case 'warned':
      return WARNINGS[check.strength ?? 'fixed']
    default:
      return undefined
  }
}

/** The checks that did not hold, those that count first. */
export const brokenChecks = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  STANDINGS.filter((standing) => standing !== 'held')
    .toReversed()
    .flatMap((standing) => checks.filter((check) => standingOf(check) === standing))
