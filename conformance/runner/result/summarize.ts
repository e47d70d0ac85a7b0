import type { CatalogueRow } from '../../catalogue/requirement.ts'
import { applies } from '../../catalogue/routes/operations.ts'
import { groupBy } from '../../report/group-by.ts'
import type { RequirementResult } from '../../report/requirement-result.ts'
import {
  type CheckResult,
  OUTCOMES,
  type Outcome,
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

/** The results of the executed checks per catalogue row and version; the worst of its rows for a row they judge. */
export function summarizeRequirements(
  requirements: readonly CatalogueRow[],
  scenarios: readonly ScenarioResult[],
  versions: readonly string[],
): readonly RequirementResult[] {
  const byId = new Map(requirements.map((row) => [row.id, row]))
  const checks = checksByRow(scenarios)
  const readings = readingsByRow(scenarios)
  const verdictOn = (row: CatalogueRow, version: string) =>
    worstOf(
      (row.judged_by ?? [row.id])
        .filter((id) => byId.has(id) && applies(byId.get(id) ?? row, version))
        .map((id) => verdictOf(checks.get(`${id} ${version}`) ?? [])),
    )
  return requirements.map((row) => ({
    id: row.id,
    component: row.component,
    versions: row.until === undefined ? `${row.since}-` : `${row.since}-${row.until}`,
    lines: row.lines,
    says: row.says,
    strength: row.strength,
    ...(row.fixed_by === undefined ? {} : { fixed_by: row.fixed_by }),
    ...(row.strength === 'either' && readings.get(row.id)),
    judged: row.judged,
    ...(row.security === undefined ? {} : { security: row.security }),
    ...(row.excluded === undefined ? {} : { excluded: row.excluded }),
    ...(row.judged_by === undefined ? {} : { judged_by: row.judged_by }),
    by_version: Object.fromEntries(
      versions
        .filter((version) => applies(row, version))
        .flatMap((version) => {
          const verdict = verdictOn(row, version)
          return verdict === undefined ? [] : [[version, verdict]]
        }),
    ),
  }))
}

/** The readings that the checks of each row met, in the order in which they were seen first. */
function readingsByRow(
  scenarios: readonly ScenarioResult[],
): ReadonlyMap<string, Pick<RequirementResult, 'readings'>> {
  const met = scenarios.flatMap(({ checks }) =>
    checks.flatMap(({ requirement, reading }) =>
      reading === undefined ? [] : [{ requirement, reading }],
    ),
  )
  const byRow = [...groupBy(met, ({ requirement }) => requirement)]
  return new Map(
    byRow.map(([row, all]) => [row, { readings: [...new Set(all.map(({ reading }) => reading))] }]),
  )
}

type Verdict = 'pass' | 'fail' | undefined

/** The checks of a run by requirement and version. */
function checksByRow(scenarios: readonly ScenarioResult[]): ReadonlyMap<string, CheckResult[]> {
  const byRow = new Map<string, CheckResult[]>()
  for (const { version, checks } of scenarios)
    for (const check of checks) {
      const key = `${check.requirement} ${version}`
      const known = byRow.get(key)
      if (known === undefined) byRow.set(key, [check])
      else known.push(check)
    }
  return byRow
}

/** `fail` if one failed; `pass` only if all passed, and there was one. */
function worstOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('fail')) return 'fail'
  return verdicts.length > 0 && verdicts.every((one) => one === 'pass') ? 'pass' : undefined
}

/** `fail` if a check that counts did not hold; undefined if every failed check is waived or only warns. */
function verdictOf(checks: readonly CheckResult[]): Verdict {
  if (checks.length === 0) return undefined
  if (checks.every(({ ok }) => ok)) return 'pass'
  const counts = checks.some(
    ({ ok, strength, excused }) => !ok && strength !== 'silent' && excused === undefined,
  )
  return counts ? 'fail' : undefined
}
