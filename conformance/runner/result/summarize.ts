import type { CatalogueRow } from '../../catalogue/requirement.ts'
import { applies } from '../../catalogue/routes/operations.ts'
import {
  OUTCOMES,
  type Outcome,
  type RequirementResult,
  type ScenarioResult,
} from '../../report/result.ts'

export function countOutcomes(
  scenarios: readonly ScenarioResult[],
): Readonly<Record<Outcome, number>> {
  const counted = OUTCOMES.map((outcome) => [
    outcome,
    scenarios.filter((scenario) => scenario.outcome === outcome).length,
  ])
  return Object.fromEntries(counted) as Record<Outcome, number>
}

/** The results of the executed checks per catalogue row and version. */
export function summarizeRequirements(
  requirements: readonly CatalogueRow[],
  scenarios: readonly ScenarioResult[],
  versions: readonly string[],
): readonly RequirementResult[] {
  return requirements.map((row) => ({
    id: row.id,
    component: row.component,
    versions: row.until === undefined ? `${row.since}-` : `${row.since}-${row.until}`,
    lines: row.lines,
    says: row.says,
    strength: row.strength,
    ...(row.strength === 'either' && readingsMet(row.id, scenarios)),
    judged: row.judged,
    ...(row.security === undefined ? {} : { security: row.security }),
    ...excludedOf(row),
    by_version: Object.fromEntries(
      versions
        .filter((version) => applies(row, version))
        .flatMap((version) => {
          const verdict = verdictOf(row.id, version, scenarios)
          return verdict === undefined ? [] : [[version, verdict]]
        }),
    ),
  }))
}

/** The readings that the checks of a row met, in the order in which they were seen first. */
function readingsMet(id: string, scenarios: readonly ScenarioResult[]) {
  const checks = scenarios.flatMap((scenario) => scenario.checks)
  const readings = checks.flatMap(({ requirement, reading }) =>
    requirement === id && reading !== undefined ? [reading] : [],
  )
  return readings.length === 0 ? {} : { readings: [...new Set(readings)] }
}

function excludedOf(row: CatalogueRow): { readonly excluded?: string } {
  const reason = row.excluded ?? row.excludedByFile
  return reason === undefined ? {} : { excluded: reason }
}

/** `fail` if a check that counts did not hold; undefined if every failed check is waived or only warns. */
function verdictOf(
  id: string,
  version: string,
  scenarios: readonly ScenarioResult[],
): 'pass' | 'fail' | undefined {
  const checks = scenarios
    .filter((scenario) => scenario.version === version)
    .flatMap((scenario) => scenario.checks.filter(({ requirement }) => requirement === id))
  if (checks.length === 0) return undefined
  if (checks.every(({ ok }) => ok)) return 'pass'
  const counts = checks.some(
    ({ ok, strength, excused }) => !ok && strength !== 'silent' && excused === undefined,
  )
  return counts ? 'fail' : undefined
}
