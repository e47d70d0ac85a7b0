import type { CheckResult } from '../report/result.ts'

/** The user's reason why one check of one scenario need not hold. */
export interface Waiver {
  readonly scenario: string
  readonly requirement: string
  /** The name of the check; absent: every check of that requirement in the scenario. */
  readonly what?: string
  readonly reason: string
  readonly link: string
  /** Last day on which it applies, ISO 8601 date. */
  readonly expires: string
}

/** A publicly known difference of one product, in every scenario. */
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

export interface AllowedDeviations {
  readonly waivers: readonly Waiver[]
  readonly profile?: Profile
  /** Today, ISO 8601 date. */
  readonly today: string
}

export const NO_DEVIATIONS: AllowedDeviations = { waivers: [], today: '' }

/** The same checks; those that did not hold have the reason of a waiver or profile, if one applies. */
export function markAllowed(
  scenario: string,
  checks: readonly CheckResult[],
  deviations: AllowedDeviations,
): readonly CheckResult[] {
  return checks.map((check) => {
    const excused = check.ok ? undefined : findDeviation(scenario, check, deviations)
    return excused === undefined ? check : { ...check, excused }
  })
}

function findDeviation(
  scenario: string,
  check: CheckResult,
  deviations: AllowedDeviations,
): string | undefined {
  const waiver = deviations.waivers.find(
    (one) => one.scenario === scenario && !isExpired(one, deviations) && appliesTo(one, check),
  )
  if (waiver !== undefined) {
    return `waived until ${waiver.expires}: ${waiver.reason} (${waiver.link})`
  }
  const { profile } = deviations
  const known = profile?.rows.find((row) => appliesTo(row, check))
  if (profile === undefined || known === undefined) return undefined
  return `profile ${profile.name}: ${known.received} (${known.source})`
}

export function isExpired({ expires }: Waiver, { today }: AllowedDeviations): boolean {
  return expires < today
}

export function appliesTo(
  { requirement, what }: { readonly requirement: string; readonly what?: string },
  check: CheckResult,
): boolean {
  return check.requirement === requirement && (what === undefined || check.what === what)
}
