import { brokenChecks } from './diff/standing.ts'
import { OUTCOMES, type Outcome, type RunResult, type ScenarioResult } from './result.ts'

/** How an outcome counts in the summary line. */
type Tally = 'passed' | 'failed' | 'skipped'

interface OutcomeRow {
  /** The word at the start of a terminal line. */
  readonly mark: string
  /** The word in a sentence or page. */
  readonly word: string
  /** The word in a narrow cell. */
  readonly short: string
  readonly tally: Tally
  readonly means: string
}

/** Words and tally of each outcome, for every report. */
export const OUTCOME_ROWS: Readonly<Record<Outcome, OutcomeRow>> = {
  pass: { mark: 'PASS', word: 'pass', short: 'pass', tally: 'passed', means: 'every check held' },
  warn: {
    mark: 'WARN',
    word: 'warning',
    short: 'warn',
    tally: 'passed',
    means: 'every fixed requirement held; for a row with two readings, neither was met',
  },
  observed: {
    mark: 'SEEN',
    word: 'observed',
    short: 'seen',
    tally: 'skipped',
    means: 'behaviour where the document is silent, recorded without a check',
  },
  fail: {
    mark: 'FAIL',
    word: 'fail',
    short: 'fail',
    tally: 'failed',
    means: 'at least one check did not hold',
  },
  hang: {
    mark: 'HANG',
    word: 'hang',
    short: 'hang',
    tally: 'failed',
    means: 'the deadline passed while Assay waited for the subject',
  },
  blocked: {
    mark: 'BLOCKED',
    word: 'blocked',
    short: 'blocked',
    tally: 'failed',
    means:
      'its passing twin did not pass, or nothing shows that the component works, so a pass here would prove nothing',
  },
  waived: {
    mark: 'WAIVED',
    word: 'waived',
    short: 'waived',
    tally: 'skipped',
    means:
      'every failed check is excused by a waiver or a deviation profile, or a baseline expects it',
  },
  'not-applicable': {
    mark: 'N/A',
    word: 'not applicable',
    short: 'n/a',
    tally: 'skipped',
    means: 'according to the target file or the subject, the case cannot arise',
  },
  skipped: {
    mark: 'SKIP',
    word: 'skipped',
    short: 'skipped',
    tally: 'skipped',
    means: 'left out by an option of the run',
  },
  'harness-fault': {
    mark: 'FAULT',
    word: 'harness fault',
    short: 'fault',
    tally: 'failed',
    means: 'Assay itself was at fault; there is no verdict',
  },
}

/** Outcomes in the order of urgency: those that need attention first, passes last. */
export const BY_URGENCY: readonly Outcome[] = [
  'fail',
  'hang',
  'harness-fault',
  'blocked',
  'waived',
  'warn',
  'skipped',
  'observed',
  'not-applicable',
  'pass',
]

/** The outcomes that a summary shows: pass, fail, and every other one that occurred. */
export const shownOutcomes = ({ totals }: Pick<RunResult, 'totals'>): readonly Outcome[] =>
  OUTCOMES.filter((outcome) => outcome === 'pass' || outcome === 'fail' || totals[outcome] > 0)

export const sumOf = (totals: RunResult['totals'], tally: Tally): number =>
  OUTCOMES.filter((outcome) => OUTCOME_ROWS[outcome].tally === tally)
    .map((outcome) => totals[outcome])
    .reduce((sum, count) => sum + count, 0)

/**
 * Scenarios with any outcome except pass, most urgent first; within an outcome in the order of the run. Those before
 * which the run ended are not listed.
 */
export const notPassed = (scenarios: readonly ScenarioResult[]): readonly ScenarioResult[] =>
  BY_URGENCY.filter((outcome) => outcome !== 'pass').flatMap((outcome) =>
    scenarios.filter((scenario) => scenario.outcome === outcome && !scenario.unfinished),
  )

/** The reason in one sentence: the given one, or else the most important failed check. */
export const reasonOf = (scenario: ScenarioResult): string => {
  if (scenario.reason !== undefined) return scenario.reason
  const [failed] = brokenChecks(scenario.checks)
  if (failed === undefined) return OUTCOME_ROWS[scenario.outcome].means
  if (failed.excused !== undefined) return failed.excused
  return `${failed.what}: expected ${failed.expected}, received ${failed.received}`
}

const BY_NUMBER = new Intl.Collator('en', { numeric: true })

/** Compares API versions by number, so that 2.10 is after 2.9. */
export const compareVersions = (left: string, right: string): number =>
  BY_NUMBER.compare(left, right)
