import { type RequirementResult, STRENGTHS, type Strength } from '../report/result.ts'
import { API_VERSIONS, type CatalogueRow, JUDGED, type Judged } from './requirement.ts'
import { applies } from './routes/operations.ts'

/** What of a scenario the coverage of the catalogue is made of. */
export interface Credentials {
  readonly id: string
  readonly requirements: readonly string[]
}

export interface Coverage {
  /** Rows that a scenario speaks for. */
  readonly checked: readonly CatalogueRow[]
  /** Rows that none speaks for, and that say why. */
  readonly excluded: readonly CatalogueRow[]
  /** Rows that none speaks for, without a word. */
  readonly neither: readonly CatalogueRow[]
  /** Checked rows that still carry a reason of their own why no check speaks for them. */
  readonly stale: readonly CatalogueRow[]
  /** Ids that scenarios name and the catalogue lacks. */
  readonly unknown: readonly string[]
}

/** Holds the catalogue against the requirement ids of the scenarios. */
export function coverCatalogue(
  rows: readonly CatalogueRow[],
  scenarios: readonly Credentials[],
): Coverage {
  const spoken = new Set(scenarios.flatMap(({ requirements }) => requirements))
  const known = new Set(rows.map(({ id }) => id))
  const checked = rows.filter(({ id }) => spoken.has(id))
  const silent = rows.filter(({ id }) => !spoken.has(id))
  return {
    checked,
    excluded: silent.filter((row) => reasonOf(row) !== undefined),
    neither: silent.filter((row) => reasonOf(row) === undefined),
    stale: checked.filter(({ excluded }) => excluded !== undefined),
    unknown: [...spoken].filter((id) => !known.has(id)),
  }
}

/** Why no check speaks for a row: its own words, or those of its file. */
export function reasonOf({ excluded, excludedByFile }: CatalogueRow): string | undefined {
  return excluded ?? excludedByFile
}

export interface VersionTally {
  readonly component: string
  readonly version: string
  /** Rows that are about this version. */
  readonly rows: number
  /** Of these, rows that a check of the run spoke for. */
  readonly executed: number
  /** Of these, rows of which every check held, and rows of which one did not. */
  readonly held: number
  readonly broken: number
}

/** What of a `RunResult` the tally is made of. */
export interface RunFacts {
  readonly target: { readonly versions: readonly string[] }
  readonly requirements: readonly Pick<RequirementResult, 'id' | 'by_version'>[]
}

/** What a run executed, by component and by version that was judged. */
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
  readonly byJudged: Readonly<Record<Judged, number>>
}

/** Rows by component, by strength and by way of judging. */
export function tallyCatalogue(
  rows: readonly CatalogueRow[],
  scenarios: readonly Credentials[],
): readonly ComponentTally[] {
  const spoken = new Set(scenarios.flatMap(({ requirements }) => requirements))
  return componentsOf(rows).map((component) => {
    const own = rows.filter((row) => row.component === component)
    return {
      component,
      rows: own.length,
      checked: own.filter(({ id }) => spoken.has(id)).length,
      security: own.filter(({ security }) => security === true).length,
      byStrength: countBy(own, STRENGTHS, ({ strength }) => strength),
      byJudged: countBy(own, JUDGED, ({ judged }) => judged),
    }
  })
}

/** Each reason why rows are not checked, with the number of rows it stands for, most rows first. */
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
