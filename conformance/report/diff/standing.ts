import type { CheckResult, Outcome } from '../result.ts'

export const STANDINGS = ['held', 'warned', 'excused', 'broke'] as const

/** The result of a check with regard to excuses and the strength of its requirement; best first. */
export type Standing = (typeof STANDINGS)[number]

interface StandingRow {
  /** The icon for it. */
  readonly shape: Outcome
  readonly words: string
}

export const STANDING_ROWS: Readonly<Record<Standing, StandingRow>> = {
  held: { shape: 'pass', words: 'held' },
  warned: { shape: 'warn', words: 'did not hold, warned' },
  excused: { shape: 'waived', words: 'did not hold, excused' },
  broke: { shape: 'fail', words: 'did not hold' },
}

/** An excuse takes precedence over the strength: a reader should see what the user wrote down. */
export const standingOf = ({ ok, excused, strength }: CheckResult): Standing => {
  if (ok) return 'held'
  if (excused !== undefined) return 'excused'
  return strength === undefined || strength === 'either' ? 'broke' : 'warned'
}

const WARNINGS: Readonly<Record<string, string>> = {
  'two-readings': 'the document can be read in two ways here, and neither reading was met',
  silent: 'the document is silent here',
}

/** Why a failed check does not count; undefined if it held, or counts. */
export const exemptionOf = (check: CheckResult): string | undefined => {
  switch (standingOf(check)) {
    case 'excused':
      return check.excused
    case 'warned':
      return WARNINGS[check.strength ?? '']
    default:
      return undefined
  }
}

/** The failed checks, those that count first. */
export const brokenChecks = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  STANDINGS.filter((standing) => standing !== 'held')
    .toReversed()
    .flatMap((standing) => checks.filter((check) => standingOf(check) === standing))
