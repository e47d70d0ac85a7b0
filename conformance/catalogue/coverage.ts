import { type RequirementResult, STRENGTHS, type Strength } from '../report/result.ts'
import { API_VERSIONS, type CatalogueRow, TEST_METHODS, type TestMethod } from './requirement.ts'
import { applies } from './routes/operations.ts'

/** The requirement ids of a scenario. */
export interface ScenarioRows {
  readonly id: string
  readonly requirements: readonly string[]
}

interface Coverage {
  /** Rows with a scenario. */
  readonly checked: readonly CatalogueRow[]
  /** Rows without a scenario that have a reason. */
  readonly excluded: readonly CatalogueRow[]
  /** Rows without a scenario or a reason. */
  readonly neither: readonly CatalogueRow[]
  /** Checked rows that still have their own reason for having no check. */
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
  const checked = rows.filter(({ id }) => named.has(id))
  const unchecked = rows.filter(({ id }) => !named.has(id))
  return {
    checked,
    excluded: unchecked.filter((row) => reasonOf(row) !== undefined),
    neither: unchecked.filter((row) => reasonOf(row) === undefined),
    stale: checked.filter(({ excluded }) => excluded !== undefined),
    unknown: [...named].filter((id) => !known.has(id)),
  }
}

/** Why a row has no check: its own reason, or its file's. */
export function reasonOf({ excluded, excludedByFile }: CatalogueRow): string | undefined {
  return excluded ?? excludedByFile
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
  const named = new Set(scenarios.flatMap(({ requirements }) => requirements))
  return componentsOf(rows).map((component) => {
    const own = rows.filter((row) => row.component === component)
    return {
      component,
      rows: own.length,
      checked: own.filter(({ id }) => named.has(id)).length,
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
    const reason = reasonOf(row) ?? ''
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
