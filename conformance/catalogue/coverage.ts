import { type RequirementResult, STRENGTHS, type Strength } from '../report/requirement-result.ts'
import type { ScenarioResult } from '../report/result.ts'
import { API_VERSIONS, type CatalogueRow, TEST_METHODS, type TestMethod } from './requirement.ts'
import { applies } from './routes/operations.ts'

/** The requirement ids of a scenario. */
export interface ScenarioRows {
  readonly id: string
  readonly requirements: readonly string[]
}

interface Coverage {
  /** Rows with a scenario, and rows that such rows judge. */
  readonly checked: readonly CatalogueRow[]
  /** Rows without a scenario that have a reason. */
  readonly excluded: readonly CatalogueRow[]
  /** Rows without a scenario or a reason. */
  readonly neither: readonly CatalogueRow[]
  /** Checked rows that still have a reason for having no check. */
  readonly stale: readonly CatalogueRow[]
  /** Ids that scenarios name and the catalogue lacks. */
  readonly unknown: readonly string[]
}

/** Compares the catalogue with the requirement ids of the scenarios. */
export function coverCatalogue(
  rows: readonly CatalogueRow[],
  scenarios: readonly ScenarioRows[],
): Coverage {
  const named = new Set(scenarios.flatMap(({ requirements }) => requirements))
  const known = new Set(rows.map(({ id }) => id))
  const isChecked = (row: CatalogueRow) => checkersOf(row).some((id) => named.has(id))
  const unchecked = rows.filter((row) => !isChecked(row))
  return {
    checked: rows.filter(isChecked),
    stale: rows.filter((row) => isChecked(row) && row.excluded !== undefined),
    excluded: unchecked.filter(({ excluded }) => excluded !== undefined),
    neither: unchecked.filter(({ excluded }) => excluded === undefined),
    unknown: [...named].filter((id) => !known.has(id)),
  }
}

/** The rows whose checks judge a row: those that it names, or itself. */
function checkersOf({ id, judged_by: checkers }: CatalogueRow): readonly string[] {
  return checkers ?? [id]
}

/** One sentence for each row that is judged by other rows in a way that is not valid. */
export function faultsOfJudgedRows(
  rows: readonly CatalogueRow[],
  scenarios: readonly ScenarioRows[],
): readonly string[] {
  const named = new Set(scenarios.flatMap(({ requirements }) => requirements))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return rows.flatMap(({ id, judged_by: checkers = [] }) => [
    ...(checkers.length > 0 && named.has(id) ? [`${id} has checks of its own`] : []),
    ...checkers.flatMap((checker) => {
      const row = byId.get(checker)
      if (row === undefined) return [`${id} is judged by ${checker}, which does not exist`]
      if (row.judged_by !== undefined)
        return [`${id} is judged by ${checker}, which other rows judge`]
      return named.has(checker) ? [] : [`${id} is judged by ${checker}, which no scenario checks`]
    }),
  ])
}

interface Unexecuted {
  /** Rows that no check of the run covered, and that the catalogue does not exclude. */
  readonly missing: readonly string[]
  /** Rows that the catalogue excludes, and that a check of the run covered. */
  readonly stale: readonly string[]
}

/** Compares the rows that the catalogue excludes with those that a whole run did not execute. */
export function compareExcluded(
  rows: readonly CatalogueRow[],
  results: readonly Pick<ScenarioResult, 'checks'>[],
): Unexecuted {
  const left = new Set(unexecutedRows(rows, results))
  const idsOf = (some: readonly CatalogueRow[]) => some.map(({ id }) => id)
  return {
    missing: idsOf(rows.filter((row) => left.has(row) && row.excluded === undefined)),
    stale: idsOf(rows.filter((row) => !left.has(row) && row.excluded !== undefined)),
  }
}

/** The rows of which a run executed no check: neither their own nor, for a row that others judge, those of each. */
export function unexecutedRows(
  rows: readonly CatalogueRow[],
  results: readonly Pick<ScenarioResult, 'checks'>[],
): readonly CatalogueRow[] {
  const checks = results.flatMap((result) => result.checks)
  const named = new Set(checks.map(({ requirement }) => requirement))
  return rows.filter((row) => !checkersOf(row).every((id) => named.has(id)))
}

interface VersionTally {
  readonly component: string
  readonly version: string
  /** Rows that apply to this version. */
  readonly rows: number
  /** Of these, rows that the run checked. */
  readonly executed: number
  /** Of these, rows whose checks all passed, and rows with a failed check. */
  readonly held: number
  readonly broken: number
}

/** The part of a `RunResult` that the tally needs. */
export interface RunFacts {
  readonly target: { readonly versions: readonly string[] }
  readonly requirements: readonly Pick<RequirementResult, 'id' | 'by_version'>[]
  readonly scenarios: readonly Pick<ScenarioResult, 'checks'>[]
}

/** Executed rows of a run, by component and version. */
export function tallyRun(
  rows: readonly CatalogueRow[],
  { requirements, target }: RunFacts,
): readonly VersionTally[] {
  const results = new Map(requirements.map(({ id, by_version }) => [id, by_version]))
  const versions = API_VERSIONS.filter((version) => target.versions.includes(version))
  return componentsOf(rows).flatMap((component) =>
    versions.flatMap((version) => {
      const own = rows.filter((row) => row.component === component && applies(row, version))
      const found = own.flatMap(({ id }) => results.get(id)?.[version] ?? [])
      const held = found.filter((result) => result === 'pass').length
      const executed = found.length
      const tally = { rows: own.length, executed, held, broken: executed - held }
      return own.length === 0 ? [] : [{ component, version, ...tally }]
    }),
  )
}

export interface ComponentTally {
  readonly component: string
  readonly rows: number
  readonly checked: number
  readonly security: number
  readonly byStrength: Readonly<Record<Strength, number>>
  readonly byMethod: Readonly<Record<TestMethod, number>>
}

/** Rows by component, strength and test method. */
export function tallyCatalogue(
  rows: readonly CatalogueRow[],
  scenarios: readonly ScenarioRows[],
): readonly ComponentTally[] {
  const checked = new Set(coverCatalogue(rows, scenarios).checked)
  return componentsOf(rows).map((component) => {
    const own = rows.filter((row) => row.component === component)
    return {
      component,
      rows: own.length,
      checked: own.filter((row) => checked.has(row)).length,
      security: own.filter(({ security }) => security === true).length,
      byStrength: countBy(own, STRENGTHS, ({ strength }) => strength),
      byMethod: countBy(own, TEST_METHODS, ({ judged }) => judged),
    }
  })
}

/** Each reason for missing checks with its number of rows, most rows first. */
export function tallyReasons(
  excluded: readonly CatalogueRow[],
): readonly { readonly reason: string; readonly rows: number }[] {
  const counts = new Map<string, number>()
  for (const row of excluded) {
    const { excluded: reason = '' } = row
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts]
    .map(([reason, count]) => ({ reason, rows: count }))
    .toSorted((one, other) => other.rows - one.rows || (one.reason < other.reason ? -1 : 1))
}

function componentsOf(rows: readonly CatalogueRow[]): readonly string[] {
  return [...new Set(rows.map(({ component }) => component))].toSorted()
}

function countBy<K extends string>(
  rows: readonly CatalogueRow[],
  keys: readonly K[],
  keyOf: (row: CatalogueRow) => K,
): Readonly<Record<K, number>> {
  const counted = keys.map((key) => [key, rows.filter((row) => keyOf(row) === key).length])
  return Object.fromEntries(counted) as Record<K, number>
}
