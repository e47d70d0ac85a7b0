import type { CheckResult } from '../report/result.ts'

/** Why one check of one scenario need not hold: a person's waiver. */
export interface Waiver {
  readonly scenario: string
  readonly requirement: string
  /** The check's own words; every check of that requirement in the scenario when absent. */
  readonly what?: string
  readonly reason: string
  readonly link: string
  /** Last day on which it counts, ISO 8601 date. */
  readonly expires: string
}

/** A publicly known difference of one product, whatever the scenario. */
export interface KnownDifference {
  readonly requirement: string
  readonly what?: string
  readonly received: string
  readonly source: string
}

export interface Profile {
  readonly name: string
  readonly rows: readonly KnownDifference[]
}

export interface Excuses {
  readonly waivers: readonly Waiver[]
  readonly profile?: Profile
  /** Today, ISO 8601 date. */
  readonly today: string
}

export const NO_EXCUSES: Excuses = { waivers: [], today: '' }

/** The same checks, those that did not hold with their excuse where there is one. */
export function excuse(
  scenario: string,
  checks: readonly CheckResult[],
  excuses: Excuses,
): readonly CheckResult[] {
  return checks.map((check) => {
    const excused = check.ok ? undefined : findExcuse(scenario, check, excuses)
    return excused === undefined ? check : { ...check, excused }
  })
}

function findExcuse(scenario: string, check: CheckResult, excuses: Excuses): string | undefined {
  const waiver = excuses.waivers.find(
    (one) => one.scenario === scenario && !isExpired(one, excuses) && speaksOf(one, check),
  )
  if (waiver !== undefined) {
    return `waived until ${waiver.expires}: ${waiver.reason} (${waiver.link})`
  }
  const { profile } = excuses
  const known = profile?.rows.find((row) => speaksOf(row, check))
  if (profile === undefined || known === undefined) return undefined
  return `profile ${profile.name}: ${known.received} (${known.source})`
}

export function isExpired({ expires }: Waiver, { today }: Excuses): boolean {
  return expires < today
}

export function speaksOf(
  { requirement, what }: { readonly requirement: string; readonly what?: string },
  check: CheckResult,
): boolean {
  return check.requirement === requirement && (what === undefined || check.what === what)
}
